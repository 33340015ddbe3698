#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/assembly/listing.hpp"
#include "codegen/binaries/disassembler.hpp"
#include "device/device.hpp"

namespace percycle {

/// What isa/ can read.
enum class CodeLanguage { amdgcn, aco_ir, brw, gen, ptx, sass };

/// One form of a kernel's code.
struct CodeForm {
  std::string name;                      ///< the driver's, or how it was made: "Assembly", "SASS (ptxas, not the driver)"
  std::string suffix;                    ///< of a file that holds it, e.g. "sass"
  std::string text;                      ///< or bytes, where it is none
  bool binary = false;                   ///< no text
  std::optional<CodeLanguage> language;  ///< none: nothing here reads it
};

/// All that can be had of a kernel's code.
struct KernelCode {
  std::vector<CodeForm> forms;
  std::vector<std::string> reasons;  ///< one line each: why one is not there

  /// The form to count in: machine code before PTX. nullptr where there is none.
  const CodeForm* readable() const;
};

/// The forms of the code of `kernel`, made with KernelDesc::keep_code: what the device shows and what external programs make of it: ptxas and a
/// `disassembler` of NVIDIA's, llvm-objdump of AMD's, ocloc of Intel's. `capability` is the card's compute capability ("9.0", "gfx1030") as DeviceInfo has it, where
/// that is known. Never throws for what a driver or a tool does: then there is a reason.
KernelCode kernel_code(const Device& device, const Kernel& kernel, const std::optional<std::string>& capability,
                       Disassembler& disassembler);

/// Reads a form that has a language, of the kernel of that name.
isa::Listing parse(const CodeForm& form, const std::string& kernel_name);

}  // namespace percycle

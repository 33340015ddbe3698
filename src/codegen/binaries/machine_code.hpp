#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/assembly/listing.hpp"
#include "codegen/binaries/disassembler.hpp"
#include "device/device.hpp"

namespace percycle {

/// The assemblies that codegen/assembly/ reads.
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

/// What a driver shows of one compiled kernel and hands out of it.
struct DriverCode {
  Api api = Api::opencl;
  std::string vendor;  ///< gpu_vendor()
  std::vector<CodeText> texts;
  std::vector<CodeBinary> binaries;
  std::vector<std::string> reasons;  ///< one line each: why one is not there
};

/// Asks the driver for the code of `kernel`, made with KernelDesc::keep_code. Never throws for what a driver does: then there is a reason.
DriverCode driver_code(const Device& device, const Kernel& kernel);

/// The forms of that code: what the driver shows and what external programs make of it: ptxas and a `disassembler` of NVIDIA's, llvm-objdump of AMD's, ocloc
/// of Intel's. `capability` is the card's compute capability ("9.0", "gfx1030") as DeviceInfo has it, where that is known. Asks no device, so that
/// any number of threads may call it. Never throws for what a tool does: then there is a reason.
KernelCode read_code(DriverCode code, const std::optional<std::string>& capability, Disassembler& disassembler);

/// Both together.
inline KernelCode kernel_code(const Device& device, const Kernel& kernel, const std::optional<std::string>& capability,
                              Disassembler& disassembler) {
  return read_code(driver_code(device, kernel), capability, disassembler);
}

/// Reads a form that has a language, of the kernel of that name.
isa::Listing parse(const CodeForm& form, const std::string& kernel_name);

}  // namespace percycle

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/assembly/listing.hpp"
#include "codegen/binaries/disassembler.hpp"
#include "device/device.hpp"

namespace percycle {

/// The assemblies that codegen/assembly/ can parse.
enum class CodeLanguage { amdgcn, aco_ir, brw, gen, ptx, sass };

/// One form of a kernel's code.
struct CodeForm {
  /// The driver's name, or how the form was made: "Assembly", "SASS (ptxas, not the driver)".
  std::string name;
  std::string suffix;                    ///< suffix of its file, e.g. "sass"
  std::string text;                      ///< or bytes if `binary`
  bool binary = false;                   ///< not a text
  std::optional<CodeLanguage> language;  ///< empty: no parser here reads it
};

/// All forms of a kernel's code.
struct KernelCode {
  std::vector<CodeForm> forms;
  std::vector<std::string> reasons;  ///< one line per missing form

  /// The form to count in: machine code before PTX. nullptr if there is none.
  const CodeForm* readable() const;
};

/// A driver's forms of one compiled kernel.
struct DriverCode {
  Api api = Api::opencl;
  std::string vendor;  ///< gpu_vendor()
  std::vector<CodeText> texts;
  std::vector<CodeBinary> binaries;
  std::vector<std::string> reasons;  ///< one line per missing form
};

/// Asks the driver for the code of `kernel`, made with KernelDesc::keep_code. Never throws for a
/// driver's failure: it becomes a reason.
DriverCode driver_code(const Device& device, const Kernel& kernel);

/// The part of a driver's binary that read_code() reads. NVIDIA's pipeline caches also hold data
/// that differs between equal kernels: as they are compiled, and as they come from the driver's
/// cache.
std::string read_part(const DriverCode& code, const CodeBinary& binary, const std::optional<std::string>& capability);

/// Adds the forms that external programs make: ptxas and `disassembler` for NVIDIA, llvm-objdump
/// for AMD, ocloc for Intel. `capability`: the card's compute capability ("9.0", "gfx1030") if
/// known. Uses no device, so it is thread-safe. A tool's failure becomes a reason.
KernelCode read_code(DriverCode code, const std::optional<std::string>& capability, Disassembler& disassembler);

/// driver_code() and read_code() together.
inline KernelCode kernel_code(const Device& device, const Kernel& kernel, const std::optional<std::string>& capability,
                              Disassembler& disassembler) {
  return read_code(driver_code(device, kernel), capability, disassembler);
}

/// Whether the readable forms of two kernels are one text; empty if a kernel has none.
std::optional<bool> same_code(const KernelCode& one, const KernelCode& other);

/// Parses a form that has a language, for the kernel of that name.
isa::Listing parse(const CodeForm& form, const std::string& kernel_name);

}  // namespace percycle

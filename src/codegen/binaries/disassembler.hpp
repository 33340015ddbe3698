#pragma once

#include <map>
#include <string>

namespace percycle {

/// NVIDIA's disassemblers, nvdisasm or cuobjdump, as external programs. They take half a second to start (nvdisasm 13.0), and programs that differ in their
/// data alone are many: what was disassembled once is known from then on.
class Disassembler {
 public:
  /// The SASS of a cubin (an ELF file). Throws ToolError.
  const std::string& of_cubin(const std::string& cubin);
  /// The SASS of machine code without a container, for sm_`number` ("90"); nvdisasm alone reads that. Throws ToolError.
  const std::string& of_code(const std::string& code, const std::string& number);

 private:
  std::map<std::string, std::string> known_;  ///< by instructions
};

}  // namespace percycle

#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>

namespace percycle {

/// NVIDIA's disassemblers, nvdisasm or cuobjdump, as external programs. They take half a second to start (nvdisasm 13.0) and read one file a call, and
/// many programs differ in their data alone: each piece of code is disassembled once. Any number of threads may ask at once.
class Disassembler {
 public:
  /// The SASS of a cubin (an ELF file). Throws ToolError.
  std::string of_cubin(const std::string& cubin);
  /// The SASS of machine code without a container, for sm_`number` ("90"); nvdisasm alone reads that. Throws ToolError.
  std::string of_code(const std::string& code, const std::string& number);

 private:
  /// Calls `disassemble` for the first that asks for this code; the others get the same answer, the same error too.
  std::string once(const std::string& code, const std::function<std::string()>& disassemble);

  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::string>> known_;  ///< by instructions
};

}  // namespace percycle

#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>

namespace percycle {

/// NVIDIA's nvdisasm or cuobjdump as external programs. They take half a second to start (nvdisasm
/// 13.0) and read one file per call, and many programs differ only in their data: each piece of
/// code is disassembled once. Thread-safe.
class Disassembler {
 public:
  /// The SASS of a cubin (an ELF file). Throws ToolError.
  std::string of_cubin(const std::string& cubin);
  /// The SASS of machine code without a container, for sm_`number` ("90"). Needs nvdisasm. Throws
  /// ToolError.
  std::string of_code(const std::string& code, const std::string& number);

 private:
  /// Calls `disassemble` for the first request of this code; later requests get the same answer or
  /// error.
  std::string once(const std::string& code, const std::function<std::string()>& disassemble);

  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::string>> known_;  ///< by instructions
};

}  // namespace percycle

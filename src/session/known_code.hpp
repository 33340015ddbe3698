#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "measure/timed_kernel.hpp"
#include "platform/user_cache.hpp"

namespace percycle {

/// Its folder in the user's cache.
inline constexpr const char* kKnownCodeFolder = "code";

/// All that the reading of a timed kernel's code depends on.
struct CodeQuestion {
  TimedCode timed;
  std::optional<CodeInfo> info;
  std::optional<DriverCode> code;
  std::optional<DriverCode> optimized;
  std::optional<std::string> capability;
};

/// Readings of machine code from this and earlier runs: external tools take a second for each
/// program. Thread-safe.
class KnownCode {
 public:
  /// An empty folder keeps nothing.
  explicit KnownCode(const std::filesystem::path& folder)
      : kept_(folder), programs_(folder.empty() ? std::string() : program_stamps()) {}

  /// The key of a question. Another driver's code, another tool and another percycle have other
  /// keys.
  std::string key(const CodeQuestion& question) const;
  std::optional<KernelCodegen> find(const std::string& key) const;
  /// Keeps a complete reading; where a form is missing, a tool may have failed by chance.
  void keep(const std::string& key, const KernelCodegen& found) const;

 private:
  UserCache kept_;
  std::string programs_;

  static std::string program_stamps();
};

}  // namespace percycle

#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// An external program could not be started, took too long or failed; one line.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The path of a program: in a folder of PATH, in $CUDA_HOME/bin, in /usr/local/cuda/bin or in
/// /opt/rocm/llvm/bin.
std::optional<std::filesystem::path> find_tool(std::string_view name);

/// The first of these programs that find_tool() finds. Throws ToolError naming them all.
std::filesystem::path need_tool(std::span<const std::string_view> names);

struct ToolOutput {
  std::string text;    ///< its stdout
  std::string errors;  ///< its stderr
};

/// Runs a program without a shell, with empty stdin, for at most `patience`. Its output passes
/// through files in `folder`. Throws ToolError if its status is not 0, with the first line of its
/// stderr; files of `folder` lose their path, so that the same fault gives the same line.
ToolOutput run_tool(const std::filesystem::path& tool, const std::vector<std::string>& arguments,
                    const std::filesystem::path& folder, const Environment& environment = {},
                    std::chrono::seconds patience = std::chrono::seconds(30));

/// The first file in these folders whose name has this prefix, e.g. a library in any version.
std::optional<std::filesystem::path> find_in(const std::vector<std::filesystem::path>& folders, std::string_view beginning);

/// A new temporary folder, removed with its content. Throws ToolError.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file there and returns its path. Throws ToolError.
  std::filesystem::path write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// All bytes of a file. Throws ToolError.
std::string bytes_of(const std::filesystem::path& path);

}  // namespace percycle

#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// A program of another's that could not be started, took too long or failed; in one line.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a program of that name lies: in a folder of PATH, in $CUDA_HOME/bin, in /usr/local/cuda/bin or in /opt/rocm/llvm/bin.
std::optional<std::filesystem::path> find_tool(std::string_view name);

/// The first of these programs that find_tool() finds. Throws ToolError, which names them all.
std::filesystem::path need_tool(std::initializer_list<std::string_view> names);

struct ToolOutput {
  std::string text;    ///< its stdout
  std::string errors;  ///< its stderr
};

/// Runs a program without a shell, its stdin empty, and waits half a minute at most. What it prints passes through files in `folder`.
/// Throws ToolError when it does not end with status 0, with the first line of what it printed on stderr, in which files of `folder`
/// have no path: the same fault gives the same line.
ToolOutput run_tool(const std::filesystem::path& tool, const std::vector<std::string>& arguments,
                    const std::filesystem::path& folder, const Environment& environment = {});

/// The first file in these folders whose name begins so, e.g. a library under whatever version.
std::optional<std::filesystem::path> find_in(const std::vector<std::filesystem::path>& folders, std::string_view beginning);

/// A new folder for temporary files, removed with all that it holds. Throws ToolError.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file there; its path. Throws ToolError.
  std::filesystem::path write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// All bytes of a file. Throws ToolError.
std::string bytes_of(const std::filesystem::path& path);

}  // namespace percycle

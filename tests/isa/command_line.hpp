#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "target.hpp"

namespace percycle::audit {

/// The output of a shell command, errors included. If it fails, throws std::runtime_error with the
/// first line that mentions an error.
std::string output_of(const std::string& command);

/// In single quotes for a shell.
std::string quoted(const std::filesystem::path& path);

/// The content of a file. Throws std::runtime_error if it cannot be read.
std::string text_of(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

/// A compiler of OpenCL sources that runs as a command.
struct CommandLine {
  std::string version;    ///< one line
  std::string arguments;  ///< all that changes its output
  /// The output for one source. Throws std::runtime_error with the compiler's message.
  std::function<std::string(const std::string& source)> make;
  /// The outputs for several sources in one process, empty where there is none: a compiler takes
  /// longer to start than to compile a kernel.
  std::function<std::vector<std::optional<std::string>>(const std::vector<std::string>& sources)> make_several;
};

/// clang with these arguments; its files go to `work`.
CommandLine clang(const std::string& program, const std::string& version, const std::string& arguments,
                  const std::filesystem::path& work);

/// Intel's ocloc for a chip. The chips share the SPIR-V, which takes most of the time.
CommandLine ocloc_for(const std::string& chip, const std::string& version, const std::filesystem::path& work);

/// The compiler of a target whose listings `parse` makes from outputs. PERCYCLE_CACHE in the
/// environment names a folder that keeps outputs for the next audit, by all their inputs.
Compiler compiler_of(const Target& target, const CommandLine& command,
                     const std::function<isa::Listing(const std::string& output, const std::string& kernel)>& parse);

}  // namespace percycle::audit

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace percycle {

/// Folders of programs that are often not in PATH.
std::vector<std::filesystem::path> usual_tool_folders();
/// Where find_tool() searches, for messages: "PATH, ... or ...".
extern const std::string_view kToolFolders;

/// The file name of a program.
std::string program_file(std::string_view name);
/// Whether the file can be started.
bool is_program(const std::filesystem::path& file);

/// A file that is always empty.
std::filesystem::path empty_file();

/// Makes a new folder for temporary files that other users cannot read. Its name, also on error.
std::filesystem::path make_temporary_folder(std::error_code& error);

}  // namespace percycle

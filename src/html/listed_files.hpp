#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// Folders of many files (reports, sites) with a list of them, so that the next one can remove those
// it does not have.

namespace percycle {

/// Name of the list in its folder: lines of a hash, a space and a name.
inline constexpr const char* kFileList = "files.txt";

/// Throws RunError: "cannot write x: why".
[[noreturn]] void refuse_file(const char* action, const std::filesystem::path& path, const std::string& why);

/// Throws RunError if there is an error.
void require_done(const char* action, const std::filesystem::path& path, const std::error_code& error);

/// The type without following a symbolic link.
std::filesystem::file_type type_at(const std::filesystem::path& path);

/// All bytes of a file; empty if it cannot be read.
std::string content_of(const std::filesystem::path& path);

/// The hash of a content, as in the list.
std::string listed_hash(std::string_view content);

/// Removes the regular files that the folder's list names, `may_remove` accepts and nobody changed
/// since. Anyone may have written the list. Returns their paths. Throws RunError.
std::vector<std::filesystem::path> remove_listed(const std::filesystem::path& folder,
                                                 const std::function<bool(const std::string& name)>& may_remove);

}  // namespace percycle

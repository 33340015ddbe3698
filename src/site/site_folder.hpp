#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace percycle {

/// The numbers of files of a site.
struct SiteChanges {
  std::size_t files = 0;
  std::size_t written = 0;  ///< new ones, and those with another content than before
  std::size_t removed = 0;
};

/// The folder of a site. A file that has its content already is not touched, so that a host
/// uploads only what changed. Symbolic links in the folder are replaced or refused, never followed.
/// A list of the files lets the next site remove those it does not have.
class SiteFolder {
 public:
  /// Makes the folder. Throws RunError.
  explicit SiteFolder(std::filesystem::path folder);

  /// Writes a file below the folder, unless it has this content. Several threads may write. Throws
  /// RunError if it cannot be written.
  void write(const std::string& name, std::string_view text);

  /// Removes files of an earlier site that were not written now and not changed since. Call it
  /// last. Throws RunError.
  SiteChanges finish();

 private:
  void make_parent(const std::filesystem::path& name) const;
  void remove_earlier();

  std::filesystem::path folder_;
  std::mutex guard_;
  std::map<std::string, std::string> hashes_;  ///< by name
  SiteChanges changes_;
};

}  // namespace percycle

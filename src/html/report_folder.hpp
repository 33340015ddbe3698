#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>

namespace percycle {

/// The folder of a report, written completely or not at all: new files are renamed at the end.
/// Symbolic links in it are replaced, never followed. A list of the report's files lets the next
/// report remove those it does not have.
class ReportFolder {
 public:
  /// Makes the folder. Throws RunError.
  explicit ReportFolder(std::filesystem::path folder);
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  /// Removes files that finish() has not put in place.
  ~ReportFolder();

  /// Writes a file of that name in the folder or one of its parts. Throws RunError if it cannot be
  /// written, UsageError if the report already has the name.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content);
  void write(const std::string& name, const std::string& text);

  /// Puts the files in place and removes files of an earlier report that this one does not have,
  /// unless they were changed since. Throws RunError.
  void finish();

 private:
  void check_places() const;

  std::filesystem::path folder_;
  std::filesystem::path beside_;  ///< place of the files until finish()
  /// Names, with the hash of files that a later report may remove.
  std::map<std::string, std::string> written_;
};

}  // namespace percycle

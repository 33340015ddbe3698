#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>

namespace percycle {

/// A folder that a report is written to, whole or not at all: files are written beside those that are there and renamed at the end. Symbolic links
/// in the folder are replaced, never followed. The folder has a list of the report's files, so that another report into it leaves none of this one's.
class ReportFolder {
 public:
  /// Makes the folder. Throws RunError.
  explicit ReportFolder(std::filesystem::path folder);
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  /// Removes what finish() has not put in its place.
  ~ReportFolder();

  /// Writes a file of that name, right in the folder or in one of its parts. Throws RunError where it cannot be written, UsageError for a name that
  /// the report has already.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content);
  void write(const std::string& name, const std::string& text);

  /// Puts the files in their places and removes those that an earlier report wrote and this one has not; a file that was changed since is
  /// nobody's but its owner's. Throws RunError.
  void finish();

 private:
  void check_places() const;
  void remove_earlier() const;

  std::filesystem::path folder_;
  std::filesystem::path beside_;                ///< where the files are until finish()
  std::map<std::string, std::string> written_;  ///< names, with the hash of what can be removed by a later report
};

}  // namespace percycle

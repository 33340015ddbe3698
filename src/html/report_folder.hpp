#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <string>

namespace percycle {

/// A folder that a report is written to. It has a list of the report's files, so that another report into it leaves none of this one's.
class ReportFolder {
 public:
  /// Makes the folder and those in it. Throws RunError.
  explicit ReportFolder(std::filesystem::path folder);

  /// Replaces a file of that name. Throws RunError.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content);
  void write(const std::string& name, const std::string& text);

  /// Removes what an earlier report's list names and this report has not written, and writes this one's list. Nothing else is touched.
  void finish();

 private:
  std::filesystem::path folder_;
  std::set<std::string> written_;
};

}  // namespace percycle

#include "html/report_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

constexpr std::array kParts{"tables", "charts"};
constexpr const char* kList = "files.txt";

/// Whether a name of a list, which may come from anyone, is that of a file right in one of the folders that reports have.
bool is_report_file(const std::filesystem::path& name) {
  const bool in_part = std::any_of(kParts.begin(), kParts.end(), [&](const char* part) { return name.parent_path() == part; });
  return in_part && name.has_filename() && name.filename() != "..";
}

}  // namespace

ReportFolder::ReportFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  for (const char* part : kParts) {
    std::error_code error;
    std::filesystem::create_directories(folder_ / part, error);
    if (error) throw RunError(fmt::format("cannot make {}: {}", (folder_ / part).string(), error.message()));
  }
}

void ReportFolder::write(const std::string& name, const std::function<void(std::ostream&)>& content) {
  written_.insert(name);
  const std::filesystem::path path = folder_ / name;
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (file) content(file);
  file.close();
  if (!file) throw RunError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

void ReportFolder::write(const std::string& name, const std::string& text) {
  write(name, [&](std::ostream& out) { out << text; });
}

void ReportFolder::finish() {
  std::ifstream earlier(folder_ / kList);
  for (std::string name; std::getline(earlier, name);) {
    std::error_code error;
    if (!is_report_file(name) || written_.contains(name) || !std::filesystem::is_regular_file(folder_ / name, error)) continue;
    std::filesystem::remove(folder_ / name, error);
    if (error) throw RunError(fmt::format("cannot remove {}: {}", (folder_ / name).string(), error.message()));
  }
  earlier.close();
  std::string list;
  for (const std::string& name : written_) list += name + '\n';
  write(kList, list);
}

}  // namespace percycle

#include "html/report_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.hpp"
#include "html/listed_files.hpp"
#include "platform/host.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

constexpr std::array kParts{"tables", "charts"};
constexpr const char* kPage = "report.html";

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  require_done("make", path, error);
}

/// Whether a name from a list names a file directly in one of a report's folders. Anyone may have
/// written the list.
bool is_report_file(const fs::path& name) {
  const bool in_part = std::any_of(kParts.begin(), kParts.end(), [&](const char* part) { return name.parent_path() == part; });
  return in_part && name.has_filename() && name.filename() != "..";
}

}  // namespace

ReportFolder::ReportFolder(fs::path folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  std::error_code error;
  for (int number = 0; beside_.empty(); ++number) {
    const fs::path name = folder_ / fmt::format(".unfinished-report-{}-{}", process_id(), number);
    if (fs::create_directory(name, error)) beside_ = name;
    require_done("make", name, error);
  }
  for (const char* part : kParts) make_folder(beside_ / part);
}

ReportFolder::~ReportFolder() {
  std::error_code ignored;
  fs::remove_all(beside_, ignored);
}

void ReportFolder::write(const std::string& name, const std::function<void(std::ostream&)>& content) {
  if (!written_.try_emplace(name).second)
    throw UsageError(fmt::format("two tables of this report would be {}: an experiment's name is taken", name));
  errno = 0;
  std::ofstream file(beside_ / name, std::ios::binary | std::ios::trunc);
  if (file) content(file);
  file.close();
  if (!file) refuse_file("write", folder_ / name, std::strerror(errno));
}

void ReportFolder::write(const std::string& name, const std::string& text) {
  write(name, [&](std::ostream& out) { out << text; });
  if (is_report_file(name)) written_[name] = listed_hash(text) + ' ';
}

void ReportFolder::finish() {
  std::string list;
  for (const auto& [name, hash] : written_) list += hash + name + '\n';
  list += fmt::format("{}\n", kFileList);
  check_places();
  for (const char* part : kParts) make_folder(folder_ / part);
  const auto put = [&](const std::string& name) {
    std::error_code error;
    fs::rename(beside_ / name, folder_ / name, error);
    require_done("write", folder_ / name, error);
  };
  for (const auto& [name, hash] : written_) {
    if (name != kPage) put(name);
  }
  if (written_.contains(kPage)) put(kPage);  // last: if it exists, the rest does
  remove_listed(folder_, [&](const std::string& name) { return is_report_file(name) && !written_.contains(name); });
  write(kFileList, list);
  put(kFileList);
}

/// Finds obstacles before anything is renamed.
void ReportFolder::check_places() const {
  for (const char* part : kParts) {
    const auto type = type_at(folder_ / part);
    if (type == fs::file_type::symlink) refuse_file("write into", folder_ / part, "it is a symbolic link, which is not followed");
    if (type != fs::file_type::directory && type != fs::file_type::not_found)
      refuse_file("make", folder_ / part, "Not a directory");
  }
  for (const auto& [name, hash] : written_) {
    if (type_at(folder_ / name) == fs::file_type::directory) refuse_file("write", folder_ / name, "Is a directory");
  }
  if (type_at(folder_ / kFileList) == fs::file_type::directory) refuse_file("write", folder_ / kFileList, "Is a directory");
}

}  // namespace percycle

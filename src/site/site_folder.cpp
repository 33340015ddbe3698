#include "site/site_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "html/listed_files.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

bool has_content(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (type_at(path) != fs::file_type::regular || fs::file_size(path, error) != text.size() || error) return false;
  return content_of(path) == text;
}

/// Whether a name from a list stays below the folder. Anyone may have written the list.
bool stays_below(const fs::path& name) {
  return name.is_relative() && name.has_filename() &&
         std::ranges::none_of(name, [](const fs::path& step) { return step == ".." || step == "."; });
}

}  // namespace

SiteFolder::SiteFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  require_done("make", folder_, error);
}

void SiteFolder::make_parent(const fs::path& name) const {
  fs::path path = folder_;
  for (const fs::path& step : name.parent_path()) {
    path /= step;
    if (type_at(path) == fs::file_type::symlink) refuse_file("write into", path, "it is a symbolic link, which is not followed");
    std::error_code error;
    fs::create_directory(path, error);
    require_done("make", path, error);
  }
}

void SiteFolder::write(const std::string& name, std::string_view text) {
  const fs::path path = folder_ / name;
  const bool is_new = !has_content(path, text);
  if (is_new) {
    make_parent(name);
    const fs::path beside = path.string() + ".unfinished";
    errno = 0;
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) refuse_file("write", path, std::strerror(errno));
    std::error_code error;
    fs::rename(beside, path, error);
    require_done("write", path, error);
  }
  const std::scoped_lock lock(guard_);
  hashes_[name] = listed_hash(text);
  changes_.written += is_new ? 1 : 0;
}

SiteChanges SiteFolder::finish() {
  remove_earlier();
  std::string list;
  for (const auto& [name, hash] : hashes_) list += fmt::format("{} {}\n", hash, name);
  changes_.files = hashes_.size();
  const SiteChanges changes = changes_;
  write(kFileList, list);
  return changes;
}

void SiteFolder::remove_earlier() {
  const auto removed =
      remove_listed(folder_, [&](const std::string& name) { return stays_below(name) && !hashes_.contains(name); });
  changes_.removed += removed.size();
  for (const fs::path& path : removed) {
    // Empty folders go with their last file.
    std::error_code error;
    for (fs::path parent = path.parent_path(); parent != folder_ && fs::remove(parent, error) && !error;)
      parent = parent.parent_path();
  }
}

}  // namespace percycle

#include "site/site_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = "files.txt";

[[noreturn]] void refuse(const char* action, const fs::path& path, const std::string& why) {
  throw RunError(fmt::format("cannot {} {}: {}", action, path.string(), why));
}

void require(const char* action, const fs::path& path, const std::error_code& error) {
  if (error) refuse(action, path, error.message());
}

fs::file_type type_at(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type();
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  require("make", folder_, error);
}

void SiteFolder::make_parent(const fs::path& name) const {
  fs::path path = folder_;
  for (const fs::path& step : name.parent_path()) {
    path /= step;
    if (type_at(path) == fs::file_type::symlink) refuse("write into", path, "it is a symbolic link, which is not followed");
    std::error_code error;
    fs::create_directory(path, error);
    require("make", path, error);
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
    if (!file) refuse("write", path, std::strerror(errno));
    std::error_code error;
    fs::rename(beside, path, error);
    require("write", path, error);
  }
  const std::scoped_lock lock(guard_);
  hashes_[name] = hex64(fnv1a(text));
  changes_.written += is_new ? 1 : 0;
}

SiteChanges SiteFolder::finish() {
  remove_earlier();
  std::string list;
  for (const auto& [name, hash] : hashes_) list += fmt::format("{} {}\n", hash, name);
  changes_.files = hashes_.size();
  const SiteChanges changes = changes_;
  write(kList, list);
  return changes;
}

void SiteFolder::remove_earlier() {
  if (type_at(folder_ / kList) != fs::file_type::regular) return;
  constexpr std::size_t kHash = 16;
  std::ifstream earlier(folder_ / kList);
  for (std::string line; std::getline(earlier, line);) {
    if (line.size() <= kHash + 1 || line[kHash] != ' ') continue;
    const std::string name = line.substr(kHash + 1);
    const fs::path path = folder_ / name;
    if (!stays_below(name) || hashes_.contains(name) || type_at(path) != fs::file_type::regular) continue;
    if (hex64(fnv1a(content_of(path))) != line.substr(0, kHash)) continue;
    std::error_code error;
    fs::remove(path, error);
    require("remove", path, error);
    ++changes_.removed;
    // Empty folders go with their last file.
    for (fs::path parent = path.parent_path(); parent != folder_ && fs::remove(parent, error) && !error;)
      parent = parent.parent_path();
  }
}

}  // namespace percycle

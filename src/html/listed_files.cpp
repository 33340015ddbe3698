#include "html/listed_files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace percycle {

namespace fs = std::filesystem;

void refuse_file(const char* action, const fs::path& path, const std::string& why) {
  throw RunError(fmt::format("cannot {} {}: {}", action, path.string(), why));
}

void require_done(const char* action, const fs::path& path, const std::error_code& error) {
  if (error) refuse_file(action, path, error.message());
}

fs::file_type type_at(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type();
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string listed_hash(std::string_view content) { return hex64(fnv1a(content)); }

std::vector<fs::path> remove_listed(const fs::path& folder, const std::function<bool(const std::string& name)>& may_remove) {
  std::vector<fs::path> removed;
  if (type_at(folder / kFileList) != fs::file_type::regular) return removed;
  constexpr std::size_t kHash = 16;
  std::ifstream earlier(folder / kFileList);
  for (std::string line; std::getline(earlier, line);) {
    if (line.size() <= kHash + 1 || line[kHash] != ' ') continue;
    const std::string name = line.substr(kHash + 1);
    const fs::path path = folder / name;
    if (!may_remove(name) || type_at(path) != fs::file_type::regular) continue;
    if (listed_hash(content_of(path)) != line.substr(0, kHash)) continue;
    std::error_code error;
    fs::remove(path, error);
    require_done("remove", path, error);
    removed.push_back(path);
  }
  return removed;
}

}  // namespace percycle

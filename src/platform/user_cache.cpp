#include "platform/user_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "core/hash.hpp"
#include "platform/environment.hpp"
#include "platform/host.hpp"

namespace percycle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSumDigits = 16;
constexpr std::uint64_t kOtherStart = 0x9e3779b97f4a7c15u;

/// 128 bits, so that two keys do not meet by chance.
std::string name_of(std::string_view key) { return hex64(fnv1a(key)) + hex64(fnv1a(key, kOtherStart)); }

std::string sum_of(std::string_view key, std::string_view text) { return hex64(fnv1a(text, fnv1a(key))); }

}  // namespace

std::optional<std::string> UserCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(folder_ / name_of(key), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  std::string text = bytes.str();
  if (!file.is_open() || text.size() < kSumDigits) return std::nullopt;
  const std::string sum = text.substr(text.size() - kSumDigits);
  text.resize(text.size() - kSumDigits);
  return sum == sum_of(key, text) ? std::optional(std::move(text)) : std::nullopt;
}

void UserCache::keep(std::string_view key, std::string_view text) const {
  static std::atomic<unsigned> count = 0;
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  // Complete before it has its name, as others read meanwhile.
  const fs::path part = folder_ / fmt::format("part-{}-{}", process_id(), ++count);
  std::ofstream file(part, std::ios::binary);
  file << text << sum_of(key, text);
  file.close();
  if (file) fs::rename(part, folder_ / name_of(key), error);
  if (!file || error) fs::remove(part, error);
}

void UserCache::trim(std::uint64_t most_bytes) const {
  struct Kept {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Kept> all;
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator each(folder_, error), end; !error && each != end; each.increment(error)) {
    std::error_code gone;
    Kept kept{each->last_write_time(gone), each->file_size(gone), each->path()};
    if (gone) continue;
    sum += kept.bytes;
    all.push_back(std::move(kept));
  }
  if (sum <= most_bytes) return;
  std::ranges::sort(all, {}, &Kept::time);
  for (const Kept& kept : all) {
    if (sum <= most_bytes / 2) return;
    std::error_code gone;
    fs::remove(kept.path, gone);
    sum -= kept.bytes;
  }
}

fs::path user_cache_folder(std::string_view name) {
  const auto variable = [](const char* of) { return environment_variable(of).value_or(""); };
  for (const char* place : {"XDG_CACHE_HOME", "LOCALAPPDATA"}) {
    if (const std::string folder = variable(place); !folder.empty()) return fs::path(folder) / "percycle" / name;
  }
  const std::string home = variable("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "percycle" / name;
}

std::string file_stamp(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error);
  return error ? fmt::format("no {}", file.string())
               : fmt::format("{} {} {}", file.string(), bytes, time.time_since_epoch().count());
}

}  // namespace percycle

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace percycle {

/// Texts by key in a folder that processes and later runs share. It only saves time: a folder that
/// is missing, full or damaged is no error. Thread-safe.
class UserCache {
 public:
  /// The folder may be missing, also its parents; empty: nothing is kept.
  explicit UserCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The text kept under this key.
  std::optional<std::string> find(std::string_view key) const;
  void keep(std::string_view key, std::string_view text) const;
  /// If the texts take more than `most_bytes`, removes the oldest until half of that is left.
  void trim(std::uint64_t most_bytes) const;

 private:
  std::filesystem::path folder_;
};

/// The folder percycle/`name` in the user's cache: in $XDG_CACHE_HOME, %LOCALAPPDATA% or ~/.cache;
/// empty if the environment names none.
std::filesystem::path user_cache_folder(std::string_view name);

/// A file's path, size and time, as part of a key: they change if another file takes its place.
std::string file_stamp(const std::filesystem::path& file);

}  // namespace percycle

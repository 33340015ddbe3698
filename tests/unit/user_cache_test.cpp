#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/tool.hpp"
#include "platform/user_cache.hpp"

namespace percycle::user_cache_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("user cache: a text is found under its key, and the last one kept counts") {
  const TemporaryFolder folder;
  const UserCache cache(folder.path() / "new" / "texts");
  CHECK_FALSE(cache.find("key"));
  cache.keep("key", "first");
  cache.keep("other", "");
  CHECK(cache.find("key") == "first");
  CHECK(cache.find("other") == "");
  CHECK_FALSE(cache.find("Key"));
  const std::string bytes("a\0b\n", 4);
  cache.keep("key", bytes);
  CHECK(UserCache(folder.path() / "new" / "texts").find("key") == bytes);
  CHECK(files_of(folder.path() / "new" / "texts").size() == 2);
}

TEST_CASE("user cache: a damaged text is not found, and a folder that cannot be made is no error") {
  const TemporaryFolder folder;
  const UserCache cache(folder.path());
  cache.keep("key", "text");
  const fs::path file = files_of(folder.path()).at(0);
  std::ofstream(file, std::ios::binary | std::ios::in) << 'T';
  CHECK_FALSE(cache.find("key"));
  std::ofstream(file, std::ios::binary) << "short";
  CHECK_FALSE(cache.find("key"));

  const UserCache impossible(file / "below a file");
  impossible.keep("key", "text");
  CHECK_FALSE(impossible.find("key"));
  impossible.trim(0);
  const UserCache none{fs::path()};
  none.keep("key", "text");
  CHECK_FALSE(none.find("key"));
}

TEST_CASE("user cache: the oldest texts go if all are too large") {
  const TemporaryFolder folder;
  const UserCache cache(folder.path());
  cache.keep("old", std::string(500, 'o'));
  const fs::path old = files_of(folder.path()).at(0);
  fs::last_write_time(old, fs::last_write_time(old) - std::chrono::hours(1));
  cache.keep("new", std::string(300, 'n'));
  cache.trim(1000);
  CHECK(cache.find("old"));
  cache.trim(700);
  CHECK_FALSE(cache.find("old"));
  CHECK(cache.find("new"));
}

TEST_CASE("user cache: a file's stamp changes with its content") {
  const TemporaryFolder folder;
  const std::string missing = file_stamp(folder.path() / "tool");
  const fs::path file = folder.write("tool", "1");
  const std::string first = file_stamp(file);
  CHECK(first != missing);
  CHECK(file_stamp(file) == first);
  folder.write("tool", "22");
  CHECK(file_stamp(file) != first);
}

}  // namespace percycle::user_cache_test

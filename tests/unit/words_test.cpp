#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "check_words.hpp"
#include "source_folders.hpp"

namespace percycle::words_test {
namespace {

/// All words of the tests that could be the name of an entry.
std::set<std::string> names_in_tests() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests_folder())) {
    const auto kind = entry.path().extension();
    if (kind != ".cpp" && kind != ".sh") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
      for (std::size_t end = 0, start = 0; (start = line.find_first_of(kLetters, end)) != std::string::npos;) {
        end = line.find_first_not_of(kLetters, start);
        names.insert(line.substr(start, end - start));
      }
    }
  }
  return names;
}

TEST_CASE("words.txt: a test uses each entry, and each text stands once") {
  const auto used = names_in_tests();
  const auto is_unused = [&](const auto& entry) { return !used.contains(entry.first); };
  if (writes_words() && std::erase_if(golden_words(), is_unused) > 0) write_words();
  std::map<std::string, std::string> names;
  for (const auto& entry : golden_words()) {
    CAPTURE(entry.first);
    CHECK_FALSE(is_unused(entry));
    CHECK(names.try_emplace(entry.second, entry.first).first->second == entry.first);
  }
}

}  // namespace
}  // namespace percycle::words_test

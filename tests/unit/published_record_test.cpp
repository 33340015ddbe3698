#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "source_folders.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "unit/store_examples.hpp"

namespace percycle::published_record_test {
namespace {

/// The file's text, if each header is directly followed by its points.
std::string written(const LoadedFile& file) {
  std::string text;
  auto entry = file.entries.begin();
  for (const Header& header : file.headers) {
    text += to_line(to_json(header)) + '\n';
    for (; entry != file.entries.end() && std::get<PointRecord>(*entry).header == header.id; ++entry) {
      text += to_line(to_json(Record(std::get<PointRecord>(*entry)))) + '\n';
    }
  }
  return text;
}

TEST_CASE("published records: each file equals the writer's output, byte for byte, and is published only") {
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(published_folder())) {
    CAPTURE(each.path().string());
    const LoadedFile file = load(each.path());
    CHECK_FALSE(file.truncated);
    for (const Header& header : file.headers) CHECK(header.published());
    CHECK(written(file) == examples::read_text(each.path()));
    ++files;
  }
  CHECK(files > 0);
}

}  // namespace
}  // namespace percycle::published_record_test

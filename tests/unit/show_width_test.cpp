#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "report/narrow_table.hpp"
#include "report/show.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"
#include "source_folders.hpp"
#include "unit/store_examples.hpp"

namespace percycle::show_width_test {
namespace {

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  return widest;
}

TEST_CASE("show: record files of every kind fit 120 columns") {
  // cli.width reads long records with chases and atomics.
  const std::filesystem::path measured = records_folder();
  const std::filesystem::path published = published_folder();
  for (const auto& path : {measured / "nvidia-h200-codegen-vulkan.jsonl", measured / "nvidia-h200-cache-bandwidth.jsonl",
                           measured / "amd-epyc-pocl-bandwidth.jsonl", measured / "intel-xeon-pocl-caches.jsonl",
                           published / "t4-report-table-4.1.jsonl", published / "instructions-latencies-table-3.jsonl"}) {
    CAPTURE(path);
    const LoadedFile file = load(path);
    CHECK(widest_line(show(file, limits_catalogue())) <= kTableColumns);
    CHECK(widest_line(show(file, limits_catalogue(), {.width = TableWidth::wide})) > kTableColumns);
  }
}

TEST_CASE("show: a narrow table names the columns that --wide has more") {
  const LoadedFile file = load(records_folder() / "nvidia-h200-codegen-vulkan.jsonl");
  const std::string text = show(file, limits_catalogue());
  const std::string titles = line_with(text, "GB/s  ");
  for (const char* stays : {"GB/s", "MAD %", "B/SM/cycle", "% of limit"}) CHECK(titles.find(stays) != std::string::npos);
  CHECK(line_with(text, "more columns with --wide: ").find("groups at once") != std::string::npos);
  CHECK(show(file, limits_catalogue(), {.width = TableWidth::wide}).find("--wide") == std::string::npos);
}

TEST_CASE("show: a narrow table of sustained loads has the steady rate, the time until then, and the power") {
  const auto load = [](const char* name, const char* rate, double value, double steady_after) {
    PointRecord record = examples::ok(1024, 20);
    record.result.point = {"sustained", {{"load", std::string(name)}, {"seconds", 30}, {"rest_seconds", 20}}};
    auto& statistics = record.result.measurement->statistics;
    statistics.erase("cycles_per_op");
    const auto add = [&](const std::string& statistic, double median) { statistics[statistic] = {median, 0, median, median, 5}; };
    add(rate, value);
    add(std::string("steady_") + rate, value - 1);
    add("steady_after_s", steady_after);
    for (const char* other : {"bytes_per_unit_cycle", "steady_mhz", "steady_w", "steady_c", "pj_per_byte", "energy_j",
                              "busy_share", "heat_constant_s", "integrated_j", "gb_per_joule"})
      add(other, value + steady_after);
    return record;
  };
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries = {load("dram", "gb_per_s", 3200, 1.5), load("fma", "gops_per_s", 33254, 9.25)};
  const std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  for (const char* title : {"steady GB/s", "steady Gops/s", "steady after s", "steady W", "steady °C", "pJ/B"})
    CHECK(line_with(text, "  load  ").find(title) != std::string::npos);
  CHECK(line_with(text, "  fma ").find("33253") != std::string::npos);
  CHECK(line_with(text, "more columns with --wide").find("GB/J") != std::string::npos);
}

TEST_CASE("show: a number that never varies leaves the table, the first figure and a single row do not") {
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries = {examples::ok(1024, 20), examples::ok(2048, 20)};
  std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK(line_with(text, "latency: ").find("n: 3") != std::string::npos);
  CHECK(line_with(text, "footprint  ").find("ns/load") != std::string::npos);
  CHECK(line_with(text, "footprint  ").find(" n ") == std::string::npos);
  file.entries.resize(1);
  text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK(line_with(text, "latency: ").find("n: 3") == std::string::npos);
}

TEST_CASE("show: the heading has the name that distinguishes the device") {
  LoadedFile file;
  file.headers = {examples::header()};
  CHECK(show(file, limits_catalogue(), {.names = {{file.headers[0].id, "Some GPU #2"}}}).starts_with("Some GPU #2 (opencl"));
  CHECK(show(file, limits_catalogue()).starts_with("Some GPU (opencl"));
}

TEST_CASE("narrow table: details leave first, parameters and the first figure never") {
  const std::vector<ColumnWidth> columns{{"footprint", 10, true}, {"ns_per_op", 10, false},    {"mad_percent", 6, false},
                                         {"n", 4, false},         {"cycles_per_op", 8, false}, {"other", 10, false}};
  using Positions = std::vector<std::size_t>;
  CHECK(fitting_columns(columns, 58) == Positions{0, 1, 2, 3, 4, 5});
  CHECK(fitting_columns(columns, 57) == Positions{0, 1, 2, 3, 4});
  CHECK(fitting_columns(columns, 45) == Positions{0, 1, 2, 4});
  CHECK(fitting_columns(columns, 32) == Positions{0, 1, 4});
  CHECK(fitting_columns(columns, 5) == Positions{0, 1});
  // The whole round trip tells how long its parts are.
  CHECK(fitting_columns({{"ns_per_op", 10, false}, {"trip_ns_per_op", 10, false}, {"cycles_per_op", 10, false}}, 22) ==
        Positions{0, 1});
  CHECK(fitting_columns({}, 5).empty());
}

TEST_CASE("narrow table: rows part by the word that leaves the narrowest tables") {
  std::vector<PointRow> rows;
  for (const char* test : {"line", "sweep"}) {
    for (const char* path : {"global", "texture"}) {
      for (const std::int64_t size : {1, 2}) {
        PointRow& row = rows.emplace_back();
        row.parameters = {{"test", std::string(test)}, {"path", std::string(path)}, {std::string("of_") + test, size}};
      }
    }
  }
  std::vector<const PointRow*> pointers;
  for (const PointRow& row : rows) pointers.push_back(&row);
  const auto parts = split_by_word("latency", pointers);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0] == std::vector<const PointRow*>(pointers.begin(), pointers.begin() + 4));
}

TEST_CASE("narrow table: rows do not part by a word that each row has alone") {
  std::vector<PointRow> rows;
  for (const char* instruction : {"add", "dot product of 4 x 8 bits", "sine", "cosine"}) {
    PointRow& row = rows.emplace_back();
    const bool is_integer = rows.size() <= 2;
    row.parameters = {{"class", std::string(is_integer ? "Integer" : "Function")}, {"instruction", std::string(instruction)}};
  }
  std::vector<const PointRow*> pointers;
  for (const PointRow& row : rows) pointers.push_back(&row);
  const auto parts = split_by_word("instruction-latency", pointers);
  REQUIRE(parts.size() == 2);
  CHECK(parts[1] == std::vector<const PointRow*>(pointers.begin(), pointers.begin() + 2));
}

TEST_CASE("wrap: long lines break at blanks, deeper; a long word stays whole") {
  CHECK(wrap_lines("short\n\n  a b\n", 5) == "short\n\n  a b\n");
  CHECK(wrap_lines("aaa bbb ccc\nd", 8) == "aaa bbb\n    ccc\nd");
  CHECK(wrap_lines("  aaaaaaaaaa bb", 8) == "  aaaaaaaaaa\n      bb");
  CHECK(wrap_lines("µµµ µµ µ", 6) == "µµµ µµ\n    µ");
}

TEST_CASE("show: filters keep points by experiment and path, and refuse names that no point has") {
  LoadedFile file;
  file.headers = {examples::header(), examples::header("other")};
  file.entries = {examples::ok(1024, 20), examples::ok(2048, 30)};
  std::get<PointRecord>(file.entries[1]).result.point = examples::point(2048, "texture");
  CHECK(filtered(runs(file), {}).size() == 2);
  const auto left = filtered(runs(file), {.experiments = {"latency"}, .paths = {"texture"}});
  REQUIRE(left.size() == 1);
  REQUIRE(left[0].points.size() == 1);
  CHECK(left[0].points[0].point->parameters == examples::point(2048, "texture").parameters);
  CHECK(filtered(runs(file), {.experiments = {"tlb"}, .paths = {}}).empty());
  CHECK(!PointFilter{.experiments = {}, .paths = {"global"}}.matches({"tlb", {}}));
  CHECK_NOTHROW(check_names({.experiments = {"latency"}, .paths = {"global"}}, runs(file)));
  CHECK_THROWS_WORDS("show.unknown-experiment", UsageError, check_names({.experiments = {"latncy"}, .paths = {}}, runs(file)));
  CHECK_THROWS_WORDS("show.unknown-path", UsageError, check_names({.experiments = {}, .paths = {"textur"}}, runs(file)));
  CHECK_THROWS_WORDS("show.unknown-path-x", UsageError, check_names({.experiments = {}, .paths = {"x"}}, runs(file)));
}

}  // namespace
}  // namespace percycle::show_width_test

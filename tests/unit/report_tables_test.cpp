#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/printable.hpp"
#include "report/markdown_table.hpp"
#include "report/point_table.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/table_files.hpp"
#include "unit/store_examples.hpp"

namespace percycle::report_tables_test {
namespace {

/// A file with a header and some of its points.
LoadedFile file_of(Header header, std::vector<PointRecord> points) {
  LoadedFile file;
  for (PointRecord& point : points) {
    point.header = header.id;
    file.entries.emplace_back(std::move(point));
  }
  file.headers = {std::move(header)};
  return file;
}

PointRecord moved(std::int64_t width, const char* role, std::int64_t group_size, double gb_per_s) {
  PointRecord record;
  record.result.point = {"l1-bandwidth",
                         {{"path", "global"}, {"width", width}, {"role", std::string(role)}, {"group_size", group_size}}};
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "device timer";
  measurement.statistics["gb_per_s"] = {gb_per_s, gb_per_s / 100, gb_per_s - 1, gb_per_s + 1, 5};
  return record;
}

TEST_CASE("texts: invalid bytes are replaced, and long texts are cut between characters") {
  CHECK(printable("a µ, not <b>\"cut\"</b>", 100) == "a µ, not <b>\"cut\"</b>");
  CHECK(printable(std::string_view("a\0b\n\x1b[31m\x7f", 9), 100) == "a\uFFFDb\uFFFD\uFFFD[31m");
  CHECK(printable("\x7f\u0085\u200B\u202E\u2066\uFEFF", 100) == "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(printable("\xff\xc0\xaf\xed\xa0\x80 \xf0\x9f\x98\x80 \xe2\x82", 100) ==
        "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD \U0001F600 \uFFFD\uFFFD");
  CHECK(printable("abcdefgh", 8) == "abcdefgh");
  CHECK(printable("abcdefghi", 8) == "abcde…");
  CHECK(printable("abcdµghi", 8) == "abcd…");
  CHECK(printable(std::string(1 << 20, 'x')).size() == kLongestText);
  CHECK(printable_lines("a\n\tb\r\x1b[2J\u202E\u009Bµ\xff\n") == "a\n\tb\uFFFD\uFFFD[2J\uFFFD\uFFFDµ\uFFFD\n");
  CHECK(printable_lines(std::string(1 << 20, 'x')).size() == 1 << 20);
}

TEST_CASE("tables: numbers for people and for programs") {
  CHECK(is_bytes("bytes"));
  CHECK_FALSE(is_bytes("lines"));
  CHECK(text_of(Cell(std::int64_t{65536}), Format::bytes) == "64 KiB");
  CHECK(text_of(Cell(std::int64_t{-1}), Format::bytes) == "-1");
  CHECK(text_of(Cell(std::int64_t{65536}), Format::plain) == "65536");
  CHECK(text_of(Cell(12.34567), Format::quantity) == "12.35");
  CHECK(text_of(Cell(12.345), Format::percent) == "12.35");
  CHECK(text_of(Cell(1979.6), Format::rounded) == "1980");
  CHECK(text_of(Cell(), Format::quantity).empty());
  CHECK(text_of(Cell(NotKnown{}), Format::quantity) == "unknown");
  CHECK(exact_text_of(Cell(0.1 + 0.2)) == "0.30000000000000004");
  CHECK(exact_text_of(Cell(NotKnown{})).empty());
  CHECK(number_of(Cell(std::int64_t{3})) == 3.0);
  CHECK_FALSE(number_of(Cell(NotKnown{})));
}

TEST_CASE("tables: the spans and steps of tlb are sizes, strides and counts are not") {
  for (const char* size : {"footprint", "bytes", "lines_bytes", "span", "step"}) CHECK(is_bytes(size));
  for (const char* other : {"stride", "columns", "nodes"}) CHECK(!is_bytes(other));
}

TEST_CASE("tables: fields of CSV and texts of Markdown keep their content") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"no\"") == "\"say \"\"no\"\"\"");
  for (const char* text : {"=1+1", "+1+1", "-x", "@SUM(A1)", "\tx", "|x", "-"}) CHECK(csv_field(text) == std::string("'") + text);
  CHECK(csv_field("=HYPERLINK(\"x\", 1)") == "\"'=HYPERLINK(\"\"x\"\", 1)\"");
  for (const char* text : {"-1", "-1.5e-300", "1", "-inf", "a=b", ""}) CHECK(csv_field(text) == text);
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(markdown_text("a|b <i>*c*</i> [x](y) `z`") == "a\\|b \\<i\\>\\*c\\*\\</i\\> \\[x\\](y) \\`z\\`");
}

TEST_CASE("tables: a CSV has every point and digit, Markdown the columns for people") {
  ReportCollector collector(limits_catalogue());
  PointRecord warned = moved(16, "best", 64, 250.125);
  warned.result.measurement->warnings = {"one, with a comma", "<b>two</b>"};
  PointRecord failed = moved(4, "best", 64, 1);
  failed.result.outcome = {Status::failed, "timed out\nlog"};
  failed.result.measurement.reset();
  collector.add(file_of(examples::header(), {moved(16, "search", 32, 200), moved(16, "best", 32, 240), warned, failed}));
  const ReportData data = collector.finish();
  REQUIRE(data.devices.size() == 1);
  const auto& rows = data.devices[0].experiments.at("l1-bandwidth");
  std::vector<const PointRow*> all;
  for (const PointRow& row : rows) all.push_back(&row);
  CHECK(to_csv(point_table("l1-bandwidth", all)) ==
        "path,width,role,group_size,gb_per_s,least,most,mad_percent,n,bytes_per_unit_cycle,limit_gb_per_s,"
        "limit_bytes_per_unit_cycle,efficiency_percent,limit,time,status,reason,notes\n"
        "global,4,best,64,,,,,,,,,,,,failed,timed out,\n"
        "global,16,best,32,240,239,241,1,5,,,,,,device timer,ok,,\n"
        "global,16,best,64,250.125,249.125,251.125,1,5,,,,,,device timer,ok,,\"one, with a comma; <b>two</b>\"\n"
        "global,16,search,32,200,199,201,1,5,,,,,,device timer,ok,,\n");
  CHECK(
      to_markdown(point_table("l1-bandwidth", best_rows(all))) ==
      R"(### l1-bandwidth: path=global role=best group\_size=64, time: device timer, unknown: B/SM/cycle, limit GB/s, limit B/SM/cycle, % of limit, limit

| width | GB/s | MAD % | n | notes |
| ---: | ---: | ---: | ---: | --- |
| 4 |  |  |  | failed: timed out |
| 16 | 250.1 | 1.00 | 5 | (1) (2) |

(1) one, with a comma
(2) \<b\>two\</b\>
)");
}

TEST_CASE("report: cards, APIs, drivers and documents that differ have names that differ, runs of one device are together") {
  ReportCollector collector(limits_catalogue());
  Header first = examples::header("0000000000000001");
  first.device.name = "Card <1>";
  Header again = first;
  again.id = "0000000000000002";
  Header other_api = first;
  other_api.id = "0000000000000003";
  other_api.device.api = Api::vulkan;
  Header other_card = first;
  other_card.id = "0000000000000004";
  other_card.identity = "uuid:ff";
  Header other_driver = other_card;
  other_driver.id = "0000000000000005";
  other_driver.device.driver = "600";
  Header model = examples::simulated_header("0000000000000006");
  Header document = examples::published_header("0000000000000007");
  Header other_place = examples::published_header("0000000000000008");
  other_place.publication->place = "table 8";
  for (const Header& header : {first, again, other_api, other_card, other_driver, model}) {
    collector.add(file_of(header, {examples::ok(1024, 16)}));
  }
  for (const Header& header : {document, other_place}) collector.add(file_of(header, {examples::figure(1024, 32)}));
  const ReportData data = collector.finish();
  CHECK(data.files == 8);
  CHECK(data.points == 8);
  std::vector<std::string> labels;
  std::vector<std::string> slugs;
  for (const ReportDevice& device : data.devices) {
    labels.push_back(device.label);
    slugs.push_back(device.slug);
  }
  CHECK(labels == std::vector<std::string>{"Card <1> #1, OpenCL", "Card <1> #1, Vulkan", "Card <1> #2, OpenCL, driver 580.159.04",
                                           "Card <1> #2, OpenCL, driver 600", "Simulated T4, simulated",
                                           "Some GPU (published 2019)"});
  CHECK(slugs[0] == "card-1-1-opencl");
  CHECK(slugs[5] == "some-gpu-published-2019");
  REQUIRE(data.devices[0].runs.size() == 2);
  CHECK(data.devices[0].runs[0].name == "2026-11-21T09:30:00Z");
  CHECK(data.devices[0].runs[1].name == "2026-11-21T09:30:00Z 0000000000000002");
  REQUIRE(data.devices[5].runs.size() == 2);
  CHECK(data.devices[5].runs[1].name == "table 8");
  CHECK(data.devices[4].source == Source::simulated);
  CHECK(data.devices[5].source == Source::published);
  CHECK_FALSE(data.devices[5].analysis);
  CHECK(data.devices[0].analysis);

  // Charts draw the later of the two runs' results, tables have both.
  const auto& rows = data.devices[0].experiments.at("latency");
  CHECK(rows.size() == 2);
  REQUIRE(latest_rows(rows).size() == 1);
  CHECK(latest_rows(rows)[0] == &rows[1]);
}

TEST_CASE("report: readings of the clock come from the kernel's counter") {
  ReportCollector collector(limits_catalogue());
  PointRecord counted = moved(16, "best", 32, 240);
  counted.result.measurement->clock_mhz = {1980, Provenance::measured_in_kernel};
  PointRecord reported = moved(8, "best", 32, 120);
  reported.result.measurement->clock_mhz = {1755, Provenance::reported};
  collector.add(file_of(examples::header(), {counted, reported}));
  const ReportData data = collector.finish();
  REQUIRE(data.devices.size() == 1);
  REQUIRE(data.devices[0].clocks.size() == 1);
  CHECK(data.devices[0].clocks[0].clock_mhz == 1980);
  CHECK_FALSE(data.devices[0].clocks[0].from_telemetry);
}

TEST_CASE("report: JSON holds every point, absent and unknown figures as null") {
  ReportCollector collector(limits_catalogue());
  collector.add(file_of(examples::header(), {moved(16, "best", 32, 240), moved(8, "search", 32, 120)}));
  std::ostringstream out;
  const ReportData data = collector.finish();
  write_json(out, data, report_tables(data));
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["schema"] == 1);
  REQUIRE(json["devices"].size() == 1);
  const auto& device = json["devices"][0];
  CHECK(device["label"] == "Some GPU, OpenCL");
  CHECK(device["source"] == "measured");
  CHECK(device["runs"][0]["id"] == "0123456789abcdef");
  const auto& table = device["tables"]["l1-bandwidth"];
  REQUIRE(table["rows"].size() == 2);
  const auto column = [&](const char* key) {
    return static_cast<std::size_t>(std::find(table["columns"].begin(), table["columns"].end(), key) - table["columns"].begin());
  };
  CHECK(table["rows"][0][column("width")] == 8);
  CHECK(table["rows"][1][column("gb_per_s")] == 240.0);
  CHECK(table["rows"][1][column("bytes_per_unit_cycle")].is_null());
  CHECK(table["rows"][1][column("status")] == "ok");
}

}  // namespace
}  // namespace percycle::report_tables_test

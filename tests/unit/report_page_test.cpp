#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "charts/curves.hpp"
#include "check_words.hpp"
#include "html/device_overview.hpp"
#include "html/escape.hpp"
#include "html/page.hpp"
#include "unit/store_examples.hpp"

namespace percycle::report_page_test {
namespace {

using nlohmann::json;

TEST_CASE("page: JSON cannot leave its place") {
  CHECK(script_json({{"</script>", "<!-- & \xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA"}}) ==
        "{\"\\u003c/script\\u003e\":\"\\u003c!-- \\u0026 \\u2028\\u2029\xE2\x80\xAA\"}");
  CHECK(json::parse(script_json("a<b>&c\xE2\x80\xA8")) == "a<b>&c\xE2\x80\xA8");
}

/// A latency sweep whose points take those times.
LoadedFile sweep_file(const Header& header, const std::vector<double>& ns, std::int64_t first_footprint = 1024) {
  LoadedFile file;
  file.headers = {header};
  for (std::size_t i = 0; i < ns.size(); ++i) {
    PointRecord record;
    record.header = header.id;
    record.result.point = {"latency",
                           {{"footprint", first_footprint + 1024 * static_cast<std::int64_t>(i)},
                            {"path", "global"},
                            {"lanes", "1"},
                            {"order", "random"},
                            {"form", "pointer"},
                            {"stride", 128}}};
    Measurement& measurement = record.result.measurement.emplace();
    measurement.time_source = "device timer";
    measurement.samples.resize(3);
    measurement.statistics["ns_per_op"] = {ns[i], 0.01, ns[i], ns[i], 3};
    file.entries.emplace_back(std::move(record));
  }
  return file;
}

ReportData sweep(const std::vector<double>& ns) {
  ReportCollector collector(limits_catalogue());
  collector.add(sweep_file(examples::header(), ns));
  return collector.finish();
}

/// The series of a chart of the page, with the rows of its data.
std::map<std::string, std::vector<json>> series_of(const json& chart) {
  std::map<std::string, std::vector<json>> series;
  const json& values = chart["spec"]["data"]["values"];
  for (std::size_t i = 1; i < values.size(); ++i) {
    json row;
    for (std::size_t column = 0; column < values[0].size(); ++column) {
      std::size_t above = i;
      while (values[above][column].is_array()) --above;  // the same text
      row[values[0][column].get<std::string>()] = values[above][column];
    }
    series[row["series"]].push_back(row);
  }
  return series;
}

/// The data in a page, for its script.
json page_data(const ReportPage& page) {
  const std::string begin = "<script type=\"application/json\" id=\"report\">";
  const std::size_t at = page.html.find(begin) + begin.size();
  return json::parse(page.html.substr(at, page.html.find("</script>", at) - at));
}

/// The labels of the rows of the table of key figures.
std::vector<std::string> row_labels(const json& overview) {
  std::vector<std::string> labels;
  for (const json& row : overview["rows"]) labels.push_back(row["label"]);
  return labels;
}

/// The section of an experiment.
json section_of(const json& page, const std::string& id) {
  const auto found = std::ranges::find_if(page["sections"], [&](const json& section) { return section["id"] == id; });
  REQUIRE(found != page["sections"].end());
  return *found;
}

TEST_CASE("page: three cards of one kind are a band around their median; two are lines") {
  const auto chart_of = [](std::size_t cards) {
    ReportCollector collector(limits_catalogue());
    for (std::size_t card = 0; card < cards; ++card) {
      Header header = examples::header("run " + std::to_string(card));
      header.identity = "uuid:" + std::to_string(card);
      const double slower = card == 1 ? 5 : 0.25 * static_cast<double>(card);
      // The last card has a point that no other has.
      std::vector<double> ns{10 + slower, 10, 80 + slower};
      if (card == 2) ns.push_back(90);
      collector.add(sweep_file(header, ns));
    }
    const ReportData data = collector.finish();
    return section_of(page_data(report_page(data, report_tables(data))), "e-latency")["charts"][0];
  };
  CHECK(series_of(chart_of(2)).size() == 2);
  CHECK_FALSE(chart_of(2).contains("bands"));

  const json chart = chart_of(3);
  const auto series = series_of(chart);
  REQUIRE(series.size() == 1);
  const auto& [name, rows] = *series.begin();
  CHECK(name.ends_with(": 3 cards"));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["y"] == 10.5);
  CHECK(rows[0]["low"] == 10);
  CHECK(rows[0]["high"] == 15);
  CHECK(rows[1]["y"] == 10);
  CHECK(rows[2]["high"] == 85);
  CHECK(chart["bands"][name].size() == 3);
  CHECK(chart["remarks"].size() == 1);
}

TEST_CASE("page: bandwidth and clock by the number of busy units stand behind the bars, which leave these points out") {
  Header header = examples::header();
  LoadedFile file;
  file.headers = {header};
  const auto add = [&](const Parameters& more, double gb_s, double mhz) {
    PointRecord record;
    record.header = header.id;
    record.result.point = {"l1-bandwidth", {{"path", "global"}, {"width", 16}}};
    record.result.point.parameters.insert(more.begin(), more.end());
    Measurement& measurement = record.result.measurement.emplace();
    measurement.time_source = "device timer";
    measurement.samples.resize(3);
    measurement.statistics["gb_per_s"] = {gb_s, 0, gb_s, gb_s, 3};
    measurement.clock_mhz = Sourced<double>{mhz, Provenance::measured_in_kernel};
    file.entries.emplace_back(std::move(record));
  };
  add({{"groups_per_unit", 2}}, 390, 1700);
  add({{"test", "units"}, {"groups", 1}}, 100, 1980);
  add({{"test", "units"}, {"groups", 4}}, 360, 1740);
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const json charts = page_data(report_page(data, report_tables(data)))["sections"][0]["charts"];
  REQUIRE(charts.size() == 3);
  CHECK(charts[0]["name"] == "l1-bandwidth-bars");
  CHECK(charts[0].dump().find("390") != std::string::npos);
  CHECK(charts[0].dump().find("360") == std::string::npos);
  const auto line_of = [&](std::size_t chart, const char* name) {
    CHECK(charts[chart]["name"] == name);
    const auto series = series_of(charts[chart]);
    REQUIRE(series.size() == 1);
    std::vector<std::pair<double, double>> line;
    for (const json& row : series.begin()->second) line.emplace_back(row["x"].get<double>(), row["y"].get<double>());
    return line;
  };
  using Line = std::vector<std::pair<double, double>>;
  CHECK(line_of(1, "l1-bandwidth-units") == Line{{1, 100}, {4, 360}});
  CHECK(line_of(2, "l1-bandwidth-units-clock") == Line{{1, 1980}, {4, 1740}});
}

TEST_CASE("page: loads of a first touch by position, with the median of all samples and a band") {
  Header header = examples::header();
  LoadedFile file;
  file.headers = {header};
  const auto add = [&](const char* path, const char* test, const std::vector<std::vector<double>>& ticks) {
    PointRecord record;
    record.header = header.id;
    record.result.point = {"geometry", {{"path", path}, {"form", "index"}, {"test", test}, {"nodes", 4}, {"stride", 8}}};
    Measurement& measurement = record.result.measurement.emplace();
    measurement.time_source = "in-kernel clock";
    measurement.samples.resize(3);
    measurement.statistics["ns_per_op"] = {10, 0, 10, 10, 3};
    measurement.series["ticks"] = ticks;
    file.entries.emplace_back(std::move(record));
  };
  add("global", "first-touch", {{600, 32, 190, 32}, {620, 34, 300}, {590, 33, 188, 31}});
  add("texture", "first-touch", {{900, 100}, {800, 100}});
  add("global", "second-pass", {{1, 1, 1, 1}});
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const json charts = page_data(report_page(data, report_tables(data)))["sections"][0]["charts"];
  const auto chart = std::ranges::find_if(charts, [](const json& each) { return each["name"] == "first-touch-some-gpu-opencl"; });
  REQUIRE(chart != charts.end());
  CHECK((*chart)["remarks"].size() == 1);
  auto series = series_of(*chart);
  REQUIRE(series.size() == 2);
  REQUIRE(series["global memory"].size() == 3);  // the shortest sample
  CHECK(series["global memory"][0]["x"] == 0);
  CHECK(series["global memory"][0]["y"] == 600);
  CHECK(series["global memory"][2]["y"] == 190);
  CHECK(series["global memory"][2]["low"] == 188);
  CHECK(series["global memory"][2]["high"] == 300);
  CHECK(series["the texture path"][0]["y"] == 850);
}

TEST_CASE("page: drawings of the instruction and constant caches beside the data caches") {
  ReportData data = sweep({10, 10, 80});
  REQUIRE(data.devices[0].analysis);
  Hierarchy& hierarchy = data.devices[0].analysis->hierarchy;
  const auto drawn_paths = [&] { return page_data(report_page(data, report_tables(data)))["devices"][0]["paths"]; };
  CHECK(drawn_paths().empty());

  hierarchy.instruction_caches.levels = {{"schedulers", 131072, 131072, 131072, 2.25, 9, 0.9},
                                         {"schedulers", 1048576, 1048576, 1048576, 9, 20, 0.5},
                                         {"units", 131072, 131072, 131072, 3, 9, 0.9}};
  const auto level = [](const char* path, const char* name, std::uint64_t bytes, double cycles) {
    HierarchyLevel made;
    made.path = path;
    made.name = name;
    made.size_bytes = made.size_low = made.size_high = bytes;
    made.latency_cycles = made.latency_ns = cycles;
    set_confidence(made, 1);
    return made;
  };
  hierarchy.levels = {level("constant", "constant L1", 2048, 34), level("constant", "constant L2", 65536, 104),
                      level("global", "L1", 32768, 32)};
  HierarchyMemory behind;
  behind.path = "constant";
  behind.latency_cycles = behind.latency_ns = 260;
  behind.confidence = 0.9;
  hierarchy.memory = {behind};
  hierarchy.constant_words = {{.bytes = 1024, .most_words = 32, .one_word = 34, .most = 65, .each_further = 1},
                              {.bytes = 32768, .most_words = 32, .one_word = 104, .most = 368, .each_further = 8.5}};
  const json paths = drawn_paths();
  REQUIRE(paths.size() == 2);
  CHECK_WORDS("page.instruction-caches", paths[0]["name"]);
  const auto text = [](const json& box) {
    std::string words = box["name"];
    for (const json& each : box["words"]) words += " | " + each.get<std::string>();
    return words;
  };
  REQUIRE(paths[0]["levels"].size() == 3);
  CHECK_WORDS("page.first-instruction-cache", text(paths[0]["levels"][0]));
  CHECK_WORDS("page.unsure-instruction-cache", text(paths[0]["levels"][1]));
  CHECK_WORDS("page.behind-instruction-caches", text(paths[0]["levels"][2]));
  CHECK(paths[0]["levels"][0]["share"] == 0.4);
  REQUIRE(paths[1]["levels"].size() == 3);
  CHECK_WORDS("page.first-constant-cache", text(paths[1]["levels"][0]));
  CHECK_WORDS("page.second-constant-cache", text(paths[1]["levels"][1]));
  CHECK_WORDS("page.behind-constant-caches", text(paths[1]["levels"][2]));

  std::erase_if(hierarchy.levels, [](const HierarchyLevel& each) { return each.path == "global"; });
  CHECK(drawn_paths().size() == 2);
  // A constant cache is not the device's first cache.
  CHECK(row_labels(page_data(report_page(data, report_tables(data)))["overview"]) == std::vector<std::string>{"units"});
}

/// A run of points with a bandwidth or a time.
LoadedFile points_file(const Header& header, const std::vector<std::pair<Point, double>>& points, const std::string& figure) {
  LoadedFile file;
  file.headers = {header};
  for (const auto& [point, value] : points) {
    PointRecord record;
    record.header = header.id;
    record.result.point = point;
    Measurement& measurement = record.result.measurement.emplace();
    measurement.time_source = "device timer";
    measurement.samples.resize(3);
    measurement.statistics["ns_per_op"] = {1, 0.01, 1, 1, 3};
    measurement.statistics[figure] = {value, 0.01, value, value, 3};
    file.entries.emplace_back(std::move(record));
  }
  return file;
}

/// The first chart of that name.
json chart_named(const std::vector<LoadedFile>& files, const std::string& name) {
  ReportCollector collector(limits_catalogue());
  for (LoadedFile file : files) collector.add(std::move(file));
  const ReportData data = collector.finish();
  const json page = page_data(report_page(data, report_tables(data)));
  for (const json& section : page["sections"]) {
    for (const json& chart : section["charts"]) {
      if (chart["name"] == name) return chart;
    }
  }
  return {};
}

TEST_CASE("page: slices of two sizes are two lines, although groups round the sizes") {
  std::vector<std::pair<Point, double>> points;
  for (const auto& [groups, small, large] :
       std::vector<std::array<std::int64_t, 3>>{{1, 4194304, 268435456}, {132, 4325376, 268173312}, {264, 8650752, 268173312}}) {
    for (const auto& [bytes, gb] : {std::pair(small, 10.0), std::pair(large, 5.0)}) {
      points.emplace_back(
          Point{"cache-bandwidth", {{"test", "units"}, {"mode", "private"}, {"groups", groups}, {"footprint", bytes}}},
          gb * static_cast<double>(groups));
    }
  }
  const auto series = series_of(chart_named({points_file(examples::header(), points, "gb_per_s")}, "cache-bandwidth-groups"));
  REQUIRE(series.size() == 2);
  for (const auto& [name, rows] : series) {
    const bool is_small = name.ends_with(": footprint 4 MiB");
    CHECK((is_small || name.ends_with(": footprint 256 MiB")));
    REQUIRE(rows.size() == 3);
    CHECK(rows[2]["y"] == (is_small ? 2640.0 : 1320.0));
  }
}

TEST_CASE("page: the latency of each line of a cache is no part of the contention of one") {
  std::vector<std::pair<Point, double>> points;
  const auto add = [&](std::int64_t lanes, std::int64_t line, double ns) {
    points.emplace_back(Point{"atomic-latency",
                              {{"lanes", lanes},
                               {"line", line},
                               {"memory", "global"},
                               {"method", "chain"},
                               {"operation", "add"},
                               {"placement", "address"},
                               {"type", "int32"}}},
                        ns);
  };
  for (std::int64_t line = 0; line < 5; ++line) add(1, line, 200 + static_cast<double>(line));
  add(2, 3, 300);
  add(4, 3, 400);
  const auto series =
      series_of(chart_named({points_file(examples::header(), points, "net_ns_per_op")}, "atomic-contention-global-chain"));
  REQUIRE(series.size() == 1);
  const auto& rows = series.begin()->second;
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["y"] == 203);
  CHECK(rows[2]["y"] == 400);
}

TEST_CASE("page: the summary and the drawing write perhaps before doubtful sizes and latencies") {
  ReportData data = sweep({10, 10, 80});
  REQUIRE(data.devices[0].analysis);
  Hierarchy& hierarchy = data.devices[0].analysis->hierarchy;
  const auto level = [](const char* name, std::uint64_t bytes, double cycles, double confidence) {
    HierarchyLevel made;
    made.path = "global";
    made.name = name;
    made.size_bytes = made.size_low = made.size_high = bytes;
    made.latency_cycles = made.latency_ns = cycles;
    set_confidence(made, confidence);
    return made;
  };
  hierarchy.levels = {level("L1", 32768, 32, 0.5), level("L2 near", 1048576, 200, 0.8), level("L2 far", 2097152, 300, 0.6)};
  HierarchyMemory memory;
  memory.path = "global";
  memory.latency_cycles = memory.latency_ns = 600;
  memory.confidence = 0.69;
  HierarchyMemory local = memory;
  local.path = "local";
  local.latency_cycles = local.latency_ns = 29;
  local.confidence = 0.9;
  hierarchy.memory = {memory, local};
  const json page = page_data(report_page(data, report_tables(data)));
  std::vector<std::string> cells;
  for (const json& row : page["overview"]["rows"])
    cells.push_back(row["label"].get<std::string>() + ": " + row["cells"][0]["text"].get<std::string>());
  const std::vector<std::string> wanted{
      "L1 size: 32 KiB?",         "L1 latency, cycles: 32?",      "L2 size: 1 MiB",
      "L2 latency, cycles: 200",  "L2 far latency, cycles: 300?", "memory latency, cycles: 600?",
      "local latency, cycles: 29"};
  for (const std::string& text : wanted) {
    CAPTURE(text);
    CHECK(std::find(cells.begin(), cells.end(), text) != cells.end());
  }
  const json& boxes = page["devices"][0]["levels"];
  REQUIRE(boxes.size() == 5);
  CHECK(boxes[0]["words"][0] == "29.0 cycles (29.0 ns)");
  CHECK(boxes[1]["words"][0] == "perhaps 32 KiB");
  CHECK(boxes[2]["words"][0] == "1 MiB");
  CHECK(boxes[3]["words"][0] == "perhaps 2 MiB");
  CHECK(boxes[4]["words"][0] == "perhaps 600.0 cycles (600.0 ns)");
}

TEST_CASE("page: a bar chart has the title of its experiment in words") {
  const std::vector<std::pair<Point, double>> points{{{"dram-bandwidth", {{"op", "read"}, {"width", 16}}}, 4000}};
  const json chart = chart_named({points_file(examples::header(), points, "gb_per_s")}, "dram-bandwidth-bars");
  CHECK_WORDS("page.memory-bandwidth", chart["title"]);
}

TEST_CASE("page: a published device names each place of its document once") {
  ReportCollector collector(limits_catalogue());
  for (const char* place : {"table 3.1", "table 3.1", "table 4.2", "table 3.1"}) {
    LoadedFile file;
    file.headers = {examples::published_header()};
    file.headers[0].publication->place = place;
    file.entries.emplace_back(examples::figure(1024, 32));
    collector.add(std::move(file));
  }
  const ReportData data = collector.finish();
  REQUIRE(data.devices.size() == 1);
  const std::string identity = page_data(report_page(data, report_tables(data)))["devices"][0]["identity"];
  CHECK(identity.find(", table 3.1, table 4.2 (") != std::string::npos);
}

TEST_CASE("page: rows of the summary are in the order of the sections, not in that of the devices") {
  Header second = examples::header("run 2");
  second.identity = "uuid:2";
  second.device.memory_bytes = 85899345920;
  ReportCollector collector(limits_catalogue());
  collector.add(points_file(examples::header(), {{Point{"launch", {{"test", "dependent"}}}, 1}}, "ns_per_op"));
  collector.add(points_file(second, {{Point{"dram-bandwidth", {{"op", "read"}}}, 100}}, "gb_per_s"));
  const ReportData data = collector.finish();
  const json overview = page_data(report_page(data, report_tables(data)))["overview"];
  CHECK(row_labels(overview) == std::vector<std::string>{"units", "memory read, GB/s", "dependent launch, ns", "memory size"});
}

TEST_CASE("page: parts of one chart share the scale of their bars") {
  std::vector<LoadedFile> files;
  for (int card = 0; card < 8; ++card) {
    Header header = examples::header("run " + std::to_string(card));
    header.identity = "uuid:" + std::to_string(card);
    files.push_back(points_file(header, {{Point{"dram-bandwidth", {{"op", "read"}}}, 100.0 * (card + 1)}}, "gb_per_s"));
  }
  for (const char* name : {"dram-bandwidth-bars-1", "dram-bandwidth-bars-2"}) {
    const json chart = chart_named(files, name);
    CHECK(chart["spec"]["layer"][0]["encoding"]["x"]["scale"]["domain"] == json{0, 800.0});
  }
}

TEST_CASE("page: three cards of one kind that were measured at other sizes are three lines") {
  ReportCollector collector(limits_catalogue());
  for (std::int64_t card = 0; card < 3; ++card) {
    Header header = examples::header("run " + std::to_string(card));
    header.identity = "uuid:" + std::to_string(card);
    collector.add(sweep_file(header, {10, 80}, 1024 + 100 * card));
  }
  const ReportData data = collector.finish();
  const json chart = section_of(page_data(report_page(data, report_tables(data))), "e-latency")["charts"][0];
  CHECK(series_of(chart).size() == 3);
  CHECK_FALSE(chart.contains("bands"));
}

TEST_CASE("page: one file with its charts, tables, sources of scripts and no address to ask") {
  ReportData data = sweep({10, 10, 10, 80, 80});
  const ReportPage page = report_page(data, report_tables(data));
  REQUIRE(page.charts.size() == 2);
  CHECK(page.charts[0].name == "latency-ns-global-lanes-1");
  CHECK(page.charts[0].marks == 5);
  CHECK(page.charts[1].name == "latency-paths-some-gpu-opencl");
  CHECK(page.html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(page.html.find("<p class=\"faint\">5 points of 1 device from 1 file.") != std::string::npos);
  CHECK(page.html.find("default-src 'none'") != std::string::npos);
  for (const char* loads : {" src=\"http", "<link rel=\"stylesheet\"", "@import", "url("}) {
    CAPTURE(loads);
    CHECK(page.html.substr(0, page.html.find("<script")).find(loads) == std::string::npos);
  }
  for (const char* package : {"<!--\nvega:\nCopyright", "<!--\nvega-lite:\nCopyright", "<!--\nvega-embed:\nCopyright"}) {
    CAPTURE(package);
    CHECK(page.html.find(package) != std::string::npos);
  }

  const json report = page_data(page);
  REQUIRE(report["devices"].size() == 1);
  CHECK(report["devices"][0]["label"] == "Some GPU, OpenCL");
  CHECK_WORDS("page.runs", report["devices"][0]["runs"]);
  REQUIRE(report["sections"].size() == 1);
  const json& section = report["sections"][0];
  CHECK(section["id"] == "e-latency");
  CHECK(section["leads"] == true);
  REQUIRE(section["charts"].size() == 2);
  CHECK(section["charts"][0]["name"] == "latency-ns-global-lanes-1");
  CHECK(section["charts"][0]["marks"] == 5);
  const json& values = section["charts"][0]["spec"]["data"]["values"];
  REQUIRE(values.size() == 6);
  CHECK(values[0] == json{"series", "source", "x", "y"});
  CHECK(values[1][0] == "Some GPU, OpenCL");
  // The texts are those of the row above.
  CHECK(values[4] == json{json::array(), json::array(), 4096.0, 80.0});
  REQUIRE(section["tables"].size() == 1);
  const json& table = section["tables"][0];
  CHECK(table["file"] == "tables/some-gpu-opencl-latency");
  CHECK(table["rows"].size() == 5);
  CHECK(table["points"] == 5);
  CHECK(table["columns"][0] == json{{"title", "footprint"}, {"left", false}});
  CHECK(table["rows"][1][0] == "2 KiB");
  CHECK(std::string(table["heading"]).ends_with(". Clock: not known (5 points)."));
}

TEST_CASE("page: notes of a table have their own column, with the notes of the shown rows") {
  ReportCollector collector(limits_catalogue());
  LoadedFile file = sweep_file(examples::header(), std::vector<double>(501, 10));
  std::get<PointRecord>(file.entries[1]).result.measurement->warnings = {"<b>shown</b>"};
  std::get<PointRecord>(file.entries[2]).result.outcome = {Status::failed, "timed out"};
  std::get<PointRecord>(file.entries[500]).result.measurement->warnings = {"behind the last"};
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const json report = page_data(report_page(data, report_tables(data)));
  const json& overview = report["overview"];
  CHECK(overview["cards"] ==
        json::parse(R"([{"title": "Some GPU", "slug": "some-gpu-opencl", "devices": ["Some GPU, OpenCL"]}])"));
  CHECK(overview["rows"].back() == json::parse(R"({"label": "not measured", "cells": [{"text": "1 failed"}]})"));
  const json& table = report["sections"][0]["tables"][0];
  CHECK(table["columns"].back() == json{{"title", "notes"}, {"left", true}, {"notes", true}});
  CHECK(table["rows"][0].back() == "");
  CHECK(table["rows"][1].back() == "(1)");
  CHECK(table["rows"][2].back() == "failed: timed out");
  CHECK(table["notes"] == json::array({{1, "<b>shown</b>"}}));
}

TEST_CASE("page: with too much data a chart draws fewer points and a table shows its first rows") {
  std::vector<double> ns;
  for (int i = 0; i < 3000; ++i) ns.push_back(10 + i % 7);
  const ReportData data = sweep(ns);
  const ReportPage page = report_page(data, report_tables(data));
  CHECK(page.charts[0].marks == kMostPoints);
  CHECK(page.charts[0].points == 3000);
  const json section = page_data(page)["sections"][0];
  CHECK(section["charts"][0]["marks"] == kMostPoints);
  CHECK(section["charts"][0]["points"] == 3000);
  CHECK(section["tables"][0]["rows"].size() == 500);
  CHECK(section["tables"][0]["rows"][499][0] == "500 KiB");
  CHECK(section["tables"][0]["points"] == 3000);
}

TEST_CASE("page: many long tables show fewer rows, short ones all of theirs") {
  ReportCollector collector(limits_catalogue());
  for (std::uint32_t device = 0; device < 10; ++device) {
    Header header = examples::header("00000000000000" + std::to_string(10 + device));
    header.identity = "uuid:" + std::to_string(device);
    collector.add(sweep_file(header, std::vector<double>(device == 0 ? 40 : 48, 10)));
  }
  const ReportData data = collector.finish();
  const auto device_tables = report_tables(data);
  const json tables = section_of(page_data(report_page(data, device_tables, 426)), "e-latency")["tables"];
  REQUIRE(tables.size() == 10);
  CHECK(tables[0]["rows"].size() == 40);
  // 40 + 9 * 42 = 418: one more each would be 427.
  for (std::size_t i = 1; i < tables.size(); ++i) CHECK(tables[i]["rows"].size() == 42);
  const json whole = section_of(page_data(report_page(data, device_tables)), "e-latency")["tables"];
  for (std::size_t i = 1; i < whole.size(); ++i) CHECK(whole[i]["rows"].size() == 48);
}

TEST_CASE("page: a card's APIs share a column of key figures, both values stand where they differ") {
  ReportCollector collector(limits_catalogue());
  const std::vector<std::pair<Point, double>> read{{Point{"dram-bandwidth", {{"op", "read"}}}, 100}};
  const std::vector<std::pair<Point, double>> faster{{Point{"dram-bandwidth", {{"op", "read"}}}, 120}};
  Header vulkan = examples::header("run 2");
  vulkan.device.api = Api::vulkan;
  collector.add(points_file(examples::header(), read, "gb_per_s"));
  collector.add(points_file(vulkan, faster, "gb_per_s"));
  const ReportData data = collector.finish();
  const json overview = page_data(report_page(data, report_tables(data)))["overview"];
  CHECK(overview["cards"][0]["devices"] == json{"Some GPU, OpenCL", "Some GPU, Vulkan"});
  const json& cell = overview["rows"][1]["cells"][0];
  CHECK(cell["text"] == "100");
  CHECK(cell["value"] == 100);
  CHECK(cell["other"] == "Vulkan 120 ");
}

TEST_CASE("page: all charts of cards are drawn on it, however many") {
  constexpr std::size_t kPaths = 70;
  ReportCollector collector(limits_catalogue());
  for (const char* year : {"1", "2"}) {
    std::vector<std::pair<Point, double>> sizes;
    for (std::size_t i = 0; i < kPaths; ++i)
      sizes.emplace_back(Point{"geometry", {{"path", "path" + std::to_string(i)}, {"level", "L1"}}}, 1024);
    Header header = examples::published_header(year);
    header.publication->document += year;
    collector.add(points_file(header, sizes, "size_bytes"));
  }
  const ReportData data = collector.finish();
  const ReportPage page = report_page(data, report_tables(data));
  const json charts = section_of(page_data(page), "cards")["charts"];
  CHECK(charts.size() == kPaths);
  CHECK(std::ranges::all_of(charts, [](const json& chart) { return chart.contains("spec"); }));
}

TEST_CASE("page: its head names days, system, drivers, version and presets") {
  ReportCollector collector(limits_catalogue());
  for (int run = 0; run < 5; ++run) {
    Header header = examples::header("run " + std::to_string(run));
    header.identity = "uuid:" + std::to_string(run);
    header.device.driver = "<" + std::to_string(run) + ">";
    header.created = "2026-11-2" + std::to_string(run) + "T09:30:00Z";
    collector.add(sweep_file(header, {10, 80}));
  }
  const ReportData data = collector.finish();
  CHECK_WORDS("page.facts", run_facts(data));
  CHECK(report_page(data, report_tables(data)).html.find("Driver: &lt;0&gt;; &lt;1&gt;") != std::string::npos);

  ReportCollector documents(limits_catalogue());
  LoadedFile file;
  file.headers = {examples::published_header()};
  file.entries.emplace_back(examples::figure(1024, 32));
  documents.add(std::move(file));
  CHECK_WORDS("page.facts-of-documents", run_facts(documents.finish()));
}

}  // namespace
}  // namespace percycle::report_page_test

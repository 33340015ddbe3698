#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "html/escape.hpp"
#include "html/html_table.hpp"
#include "html/packed_rows.hpp"
#include "html/page.hpp"
#include "html/table_room.hpp"
#include "unit/store_examples.hpp"

namespace percycle {
namespace {

TEST_CASE("page: text and JSON cannot leave their place") {
  CHECK(html_text("<b a='1' c=\"2\">&amp;</b>") == "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
  CHECK(script_json({{"</script>", "<!-- & \xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA"}}) ==
        "{\"\\u003c/script\\u003e\":\"\\u003c!-- \\u0026 \\u2028\\u2029\xE2\x80\xAA\"}");
  CHECK(nlohmann::json::parse(script_json("a<b>&c\xE2\x80\xA8")) == "a<b>&c\xE2\x80\xA8");
}

/// A latency sweep whose points take those times.
ReportData sweep(const std::vector<double>& ns) {
  ReportCollector collector(limits_catalogue());
  LoadedFile file;
  file.headers = {examples::header()};
  for (std::size_t i = 0; i < ns.size(); ++i) {
    PointRecord record;
    record.header = file.headers[0].id;
    record.result.point = {"latency",
                           {{"footprint", static_cast<std::int64_t>(1024 * (i + 1))},
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
  collector.add(std::move(file));
  return collector.finish();
}

std::vector<std::size_t> shown(const std::vector<double>& ns, std::size_t most) {
  const ReportData data = sweep(ns);
  std::vector<const PointRow*> rows;
  for (const PointRow& row : data.devices[0].experiments.at("latency")) rows.push_back(&row);
  return lines_to_show(point_table("latency", rows), most);
}

TEST_CASE("page: of a long table the best, the ends, both sides of edges and every n-th of the rest are shown") {
  std::vector<double> ns(100, 10);
  for (std::size_t i = 60; i < 100; ++i) ns[i] = 80;
  ns[33] = 9.9;
  CHECK(shown(ns, 100).size() == 100);
  const auto lines = shown(ns, 10);
  CHECK(lines.size() == 10);
  for (const std::size_t line : {0u, 33u, 59u, 60u, 99u}) CHECK(std::find(lines.begin(), lines.end(), line) != lines.end());
  CHECK(std::is_sorted(lines.begin(), lines.end()));
}

TEST_CASE("page: one file with its charts, tables, sources of scripts and no address to ask") {
  ReportData data = sweep({10, 10, 10, 80, 80});
  const ReportPage page = report_page(data, report_tables(data));
  REQUIRE(page.charts.size() == 1);
  CHECK(page.charts[0].name == "latency-ns-global-lanes-1");
  CHECK(page.charts[0].marks == 5);
  CHECK(page.html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(page.html.find("data-chart=\"latency-ns-global-lanes-1\" data-marks=\"5\"") != std::string::npos);
  CHECK(page.html.find("5 of 5 rows; all: <a href=\"tables/some-gpu-opencl-latency.csv\">") != std::string::npos);
  CHECK(page.html.find("Clock: not known (5 points).") != std::string::npos);
  CHECK(page.html.find("default-src 'none'") != std::string::npos);
  for (const char* loads : {" src=\"http", "<link rel=\"stylesheet\"", "@import", "url("}) {
    CAPTURE(loads);
    CHECK(page.html.substr(0, page.html.find("<script")).find(loads) == std::string::npos);
  }
  for (const char* package : {"<!--\nvega:\nCopyright", "<!--\nvega-lite:\nCopyright", "<!--\nvega-embed:\nCopyright"}) {
    CAPTURE(package);
    CHECK(page.html.find(package) != std::string::npos);
  }
}

TEST_CASE("page: what is too much for it is drawn with fewer points") {
  std::vector<double> ns;
  for (int i = 0; i < 3000; ++i) ns.push_back(10 + i % 7);
  const ReportData data = sweep(ns);
  const ReportPage page = report_page(data, report_tables(data));
  REQUIRE(page.charts.size() == 1);
  CHECK(page.charts[0].marks == DrawingLimits{}.series_points);
  CHECK(page.charts[0].points == 3000);
  CHECK(page.html.find("(drawn: 300 of 3000 points)") != std::string::npos);
  CHECK(page.html.find("500 of 3000 rows (the best, both sides of edges, and every n-th of the rest)") != std::string::npos);
}

TEST_CASE("page: a packed row leaves out the leading values of the row before") {
  using nlohmann::json;
  const json rows = json::parse(R"([{"a":"A","x":1,"y":2},{"a":"A","x":2,"y":2},{"a":"A","x":2,"y":3},{"a":"A","x":2,"y":3},
                                    {"a":"B","x":2,"y":3}])");
  CHECK(packed_rows(rows) == json::parse(R"({"keys":["a","x","y"],"rows":[["A",1,2],[2,2],[3],[],["B",2,3]]})"));
  for (const char* other : {"[]", "3", R"([{"a":1},{"b":1}])", R"([{"a":1},{"a":1,"b":2}])", R"([{"a":1},2])"}) {
    CAPTURE(other);
    CHECK(packed_rows(json::parse(other)) == json::parse(other));
  }
  json spec = {{"data", {{"values", rows}}},
               {"layer", {{{"mark", "line"}}, {{"data", {{"values", {1, 2}}}}}, {{"data", {{"values", rows}}}}}}};
  pack_data(spec);
  CHECK(spec["data"] == json{{"packed", packed_rows(rows)}});
  CHECK(spec["layer"][0] == json{{"mark", "line"}});
  CHECK(spec["layer"][1]["data"] == json{{"values", {1, 2}}});
  CHECK(spec["layer"][2]["data"] == json{{"packed", packed_rows(rows)}});
}

TEST_CASE("page: tables have as many lines as there is room for, long ones what short ones leave") {
  const std::vector<TableSize> tables{{.lines = 1000, .bytes_per_line = 10, .other_bytes = 50},
                                      {.lines = 1000, .bytes_per_line = 20, .other_bytes = 50},
                                      {.lines = 7, .bytes_per_line = 100, .other_bytes = 0}};
  CHECK(lines_that_fit(tables, 1e6, 500) == 500);
  CHECK(lines_that_fit(tables, 800 + 30 * 42, 500) == 42);
  CHECK(lines_that_fit(tables, 800 + 30 * 42 - 1, 500) == 41);
  CHECK(lines_that_fit(tables, 100 + 130 * 5, 500) == 5);
  CHECK(lines_that_fit(tables, 0, 500) == kFewestLines);
  CHECK(lines_that_fit({}, 0, 500) == 500);
}

}  // namespace
}  // namespace percycle

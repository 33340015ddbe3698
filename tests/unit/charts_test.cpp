#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "charts/api_pairs.hpp"
#include "charts/bars.hpp"
#include "charts/curves.hpp"
#include "charts/grid.hpp"
#include "charts/pair_heatmap.hpp"
#include "charts/series.hpp"
#include "charts/theme.hpp"
#include "check_words.hpp"

namespace percycle::charts_test {
namespace {

using nlohmann::json;

/// The layers of a mark.
std::vector<json> layers(const Chart& chart, const std::string& mark) {
  std::vector<json> found;
  for (const json& layer : chart.spec.at("layer")) {
    if (layer.at("mark").at("type") == mark) found.push_back(layer);
  }
  return found;
}

TEST_CASE("charts: thinning keeps both ends and a spike, and leaves short series alone") {
  std::vector<SeriesPoint> line;
  for (int i = 0; i < 1000; ++i) line.push_back({static_cast<double>(i), i == 617 ? 50.0 : i == 310 ? -3.0 : 1.0});
  const auto few = thinned(line, 20);
  REQUIRE(few.size() == 20);
  CHECK(few.front().x == 0);
  CHECK(few.back().x == 999);
  CHECK(std::count_if(few.begin(), few.end(), [](const SeriesPoint& point) { return point.y == 50; }) == 1);
  CHECK(std::count_if(few.begin(), few.end(), [](const SeriesPoint& point) { return point.y == -3; }) == 1);
  for (std::size_t i = 1; i < few.size(); ++i) CHECK(few[i].x > few[i - 1].x);
  CHECK(thinned(line, 1000).size() == 1000);
  CHECK(thinned({{1, 1}, {2, 2}}, 4).size() == 2);
}

TEST_CASE("charts: numbers are drawn with five digits") {
  CHECK(drawn(123456.0) == 123460.0);
  CHECK(drawn(-0.000123456) == doctest::Approx(-0.00012346));
  CHECK(drawn(0) == 0);
  CHECK(drawn(5e-324) == 5e-324);
  CHECK(digits(18417.3) == "18417");
  CHECK(digits(127.53) == "127.5");
}

TEST_CASE("charts: a staircase has a line and a mark for each point, its edges and a style for each source") {
  const std::vector<Series> series{{"card", Source::measured, {{1024, 32}, {2048, 32}, {4096, 280.123456}}},
                                   {"paper", Source::published, {{1024, 28}}}};
  const Chart chart = curve_chart({.name = "n",
                                   .title = "t",
                                   .x_title = "footprint",
                                   .x_scale = AxisScale::bytes,
                                   .y_title = "cycles",
                                   .y_scale = AxisScale::doubled},
                                  {}, series, {{2048, "card", "L1 2 KiB"}});
  CHECK(chart.marks == 4);
  CHECK(chart.points == 4);
  CHECK(chart.spec["data"]["values"][2] == json{{"series", "card"}, {"source", "measured"}, {"x", 4096.0}, {"y", 280.12}});
  CHECK(layers(chart, "line").size() == 1);
  const auto points = layers(chart, "point");
  REQUIRE(points.size() == 1);
  const json& encoding = points[0]["encoding"];
  CHECK(encoding["x"]["scale"]["type"] == "log");
  CHECK(encoding["x"]["scale"]["base"] == 2);
  CHECK(encoding["y"]["axis"]["tickCount"] == 6);  // powers of two
  CHECK(encoding["color"]["scale"]["domain"] == json{"card", "paper"});
  CHECK(encoding["shape"]["scale"]["domain"] == json{"measured", "simulated", "published"});
  CHECK(encoding["shape"]["scale"]["range"] == json{"circle", "triangle-up", "diamond"});
  CHECK_FALSE(encoding["shape"]["legend"].is_null());
  CHECK(chart.spec["layer"][0]["params"][0]["bind"] == "legend");
  CHECK(chart.spec["layer"][0]["params"][1]["bind"] == "scales");
  const auto rules = layers(chart, "rule");
  REQUIRE(rules.size() == 1);
  CHECK(rules[0]["data"]["values"] == json::array({{{"x", 2048.0}, {"series", "card"}, {"edge", "L1 2 KiB"}}}));
  CHECK(layers(chart, "text").size() == 1);
  CHECK(chart.spec["description"] == chart.description);
  CHECK_WORDS("charts.line-description", chart.description);

  // One source needs no legend of sources, and only a few edges have room for their names.
  const Chart alone = curve_chart({}, {}, std::span(series).first(1), std::vector<Edge>(9, {2048, "card", "L1"}));
  CHECK(layers(alone, "point")[0]["encoding"]["shape"]["legend"].is_null());
  CHECK(layers(alone, "text").empty());
  CHECK(layers(alone, "line").size() == 1);
}

TEST_CASE("charts: a curve over a figure has a place for each point that has it") {
  ReportDevice device;
  device.label = "card";
  device.runs.emplace_back();
  std::vector<PointRow> rows(3);
  rows[0].figures = {{"traffic_gb_per_s", Cell(90.0)}, {"ns_per_op", Cell(30.0)}};
  rows[1].figures = {{"traffic_gb_per_s", Cell(0.0)}, {"ns_per_op", Cell(20.0)}};
  rows[2].figures = {{"ns_per_op", Cell(10.0)}};
  std::vector<Chart> charts;
  add_curves(charts, "", {{&device, {&rows[0], &rows[1], &rows[2]}}},
             {.name = "n", .title = "t", .x = "traffic_gb_per_s", .x_scale = AxisScale::linear, .y = {"ns_per_op"}}, {"n", "t"});
  REQUIRE(charts.size() == 1);
  const json& values = charts[0].spec["data"]["values"];
  REQUIRE(values.size() == 2);
  CHECK(values[0]["x"] == 0.0);
  CHECK(values[0]["y"] == 20.0);
  CHECK(values[1]["x"] == 90.0);
}

TEST_CASE("charts: a long line is drawn with fewer points and says how many there are") {
  Series series{"card", Source::measured, {}};
  for (int i = 1; i <= 5000; ++i) series.points.push_back({static_cast<double>(i), std::sqrt(i)});
  const Chart chart = curve_chart({}, {}, std::span(&series, 1), {}, {}, 50);
  CHECK(chart.marks == 50);
  CHECK(chart.points == 5000);
  CHECK(chart.spec["data"]["values"].size() == 50);
}

TEST_CASE("charts: bars have their limits and labels, in the order given") {
  const std::vector<Bar> bars{{"width 16", "card", Source::measured, 127.5, 128.0, "99.6 %"},
                              {"width 4", "card", Source::measured, 90, std::nullopt, ""},
                              {"width 16", "model", Source::simulated, 64, 64.0, "100.0 %"}};
  const Chart chart = bar_chart({"n", "t"}, "bytes per unit and cycle", bars);
  CHECK(chart.marks == 3);
  REQUIRE(layers(chart, "bar").size() == 1);
  CHECK_WORDS("charts.bars-with-limit", layers(chart, "bar")[0]["encoding"]["x"]["axis"]["title"]);
  CHECK(layers(chart, "tick").size() == 1);
  CHECK(layers(chart, "text")[0]["encoding"]["text"]["field"] == "text");
  CHECK(chart.spec["data"]["values"][0] == json{{"question", "width 16"},
                                                {"row", "width 16\u20630"},
                                                {"series", "card"},
                                                {"source", "measured"},
                                                {"value", 127.5},
                                                {"label", "99.6 %"},
                                                {"text", "127.5 (99.6 %)"},
                                                {"limit", 128.0}});
  CHECK(chart.spec["data"]["values"][1]["text"] == "90");
  CHECK_WORDS("charts.simulated-value", chart.spec["data"]["values"][2]["text"]);
  CHECK_FALSE(chart.spec["data"]["values"][1].contains("limit"));
  CHECK(layers(bar_chart({}, {}, {bars[1]}), "tick").empty());
  CHECK(chart.description ==
        "bytes per unit and cycle, 3 bars. width 16, card: 127.5 of at most 128 (99.6 %). width 4, card: 90. width 16, model: 64 "
        "of "
        "at most 64 (100.0 %).");
}

TEST_CASE("charts: a bar has the spread of its samples, if it is wide enough to be seen") {
  Bar wide{"width 16", "card", Source::measured, 100, {}, "", 2.5};
  Bar narrow{"width 4", "card", Source::measured, 50, {}, "", 0.05};
  const Chart chart = bar_chart({}, {}, {wide, narrow});
  const json& values = chart.spec["data"]["values"];
  CHECK(values[0]["low"] == 97.5);
  CHECK(values[0]["high"] == 102.5);
  CHECK(values[1]["low"] == values[1]["high"]);
  CHECK(layers(chart, "rule").size() == 1);
  CHECK(chart.remarks == std::vector<std::string>{kSpreadRemark});
  CHECK(layers(bar_chart({}, {}, {narrow}), "rule").empty());
}

TEST_CASE("charts: bars in pJ carry no share of a rate's limit") {
  ReportDevice device;
  device.label = "card";
  device.runs.emplace_back();
  const PointRow row{.parameters = {{"load", "read"}},
                     .figures = {{figures::kGbPerS, 3000.0},
                                 {figures::kLimitGbPerS, 3200.0},
                                 {figures::kEfficiency, 93.75},
                                 {figures::kPjPerByte, 40.0}},
                     .notes = {}};
  const auto value_of = [&](const char* figure) {
    std::vector<Chart> charts;
    add_bar_charts(charts, "sustained", {{&device, {&row}}}, {.y = {figure}}, {});
    REQUIRE(charts.size() == 1);
    return charts[0].spec["data"]["values"][0];
  };
  CHECK(value_of(figures::kGbPerS)["label"] == "93.8 %");
  CHECK(value_of(figures::kGbPerS)["limit"] == 3200);
  CHECK(value_of(figures::kPjPerByte)["value"] == 40);
  CHECK(value_of(figures::kPjPerByte)["label"] == "");
  CHECK_FALSE(value_of(figures::kPjPerByte).contains("limit"));
}

TEST_CASE("charts: values of parameters are words, of the experiment first") {
  Presentation about;
  about.words = {{"width", "16", "a quad"}};
  const PointRow row{.parameters = {{"width", std::int64_t{16}},
                                    {"groups", std::int64_t{1}},
                                    {"subgroups", std::int64_t{4}},
                                    {"local_bytes", std::int64_t{16384}},
                                    {"row_stride", std::int64_t{512}}},
                     .figures = {},
                     .notes = {},
                     .about = &about};
  CHECK(chart_words(row, {"width", "groups", "subgroups", "local_bytes", "row_stride"}) ==
        "a quad, one work-group, 4 subgroups, 16 KiB of local memory, row stride 512");
}

TEST_CASE("charts: a long question is a label of two lines") {
  const std::string question = "texture, first_bytes 256 B, first_stride 128, global-index, second_bytes 256 KiB";
  const Chart chart = bar_chart({}, {}, {{question, "card", Source::measured, 64.25, {}, ""}});
  const json& row = chart.spec["data"]["values"][0];
  CHECK(row["row"] == "texture, first_bytes 256 B, first_stride 128, \u2064global-index, second_bytes 256 KiB\u20630");
  CHECK(row["question"] == question);
}

TEST_CASE("charts: a question has a row for each of its bars only, and one label") {
  const Bar measured{"width 16", "card", Source::measured, 127.5, 128.0, "99.6 %"};
  const auto bar = [&](const char* question, const char* series) {
    Bar other = measured;
    other.question = question;
    other.series = series;
    return other;
  };
  const json spec = bar_chart({}, {}, {measured, bar("width 4", "old"), bar("width 16", "new"), bar("width 16", "old")}).spec;
  const json rows{"width 16\u20630", "width 16\u20631", "width 16\u20632", "\u2063width 4", "width 4\u20630"};
  CHECK(spec["encoding"]["y"]["scale"]["domain"] == rows);
  CHECK(spec["params"][0]["value"] == json{"width 16\u20631", "width 4\u20630"});
  CHECK(spec["data"]["values"][1]["row"] == "width 4\u20630");
  // Series are in the order of their first bars.
  CHECK(spec["data"]["values"][2]["row"] == "width 16\u20632");
  CHECK(spec["height"] == 14 * rows.size());

  const json lone = bar_chart({}, {}, {measured, bar("width 4", "card")}).spec;
  CHECK(lone["encoding"]["y"]["scale"]["domain"] == json{"width 16\u20630", "width 4\u20630"});
  CHECK(lone["height"] == 24 * 2);
}

/// Every pair of six units; the even ones lie near to each other, as do the odd ones.
std::vector<UnitPairTime> two_groups() {
  std::vector<UnitPairTime> pairs;
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = a + 1; b < 6; ++b) pairs.push_back({b, a, a % 2 == b % 2 ? 100.0 : 200.0});
  }
  return pairs;
}

TEST_CASE("charts: a heatmap is square, has each pair once, and follows the order of the groups") {
  const Chart chart = pair_heatmap({"n", "t"}, "swap", two_groups(), {0, 2, 4, 1, 3, 5}, 100);
  CHECK(chart.spec["width"] == chart.spec["height"]);
  const json& values = chart.spec["data"]["values"];
  REQUIRE(values.size() == 15);
  CHECK(values[0] == json{{"a", 0}, {"b", 2}, {"ns", 100.0}});
  CHECK(values[2] == json{{"a", 0}, {"b", 1}, {"ns", 200.0}});
  CHECK(chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == json{0, 2, 4, 1, 3, 5});
  CHECK(chart.marks == 30);
  CHECK(chart.points == 30);  // no point is left out
  CHECK(chart.spec["layer"][0]["encoding"]["color"]["legend"]["title"] == "ns per swap");
  CHECK_WORDS("charts.pairs-description", chart.description);
}

TEST_CASE("charts: units share cells of a heatmap where there are too many pairs, or too few for a square without gaps") {
  const Chart coarse = pair_heatmap({"n", "t"}, "swap", two_groups(), {}, 10);
  CHECK(coarse.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == json{0, 2, 4});
  CHECK(coarse.description.find(" A cell is the median of 2 by 2 units.") != std::string::npos);
  // Two of six pairs.
  const Chart gaps = pair_heatmap({"n", "t"}, "swap", {{0, 1, 100.0}, {2, 3, 120.0}, {1, 2, 200.0}}, {}, 100);
  CHECK(gaps.spec["data"]["values"] ==
        json::array(
            {{{"a", 0}, {"b", 0}, {"ns", 100.0}}, {{"a", 0}, {"b", 2}, {"ns", 200.0}}, {{"a", 2}, {"b", 2}, {"ns", 120.0}}}));
  CHECK(gaps.description.find(" A cell is the median of 2 by 2 units.") != std::string::npos);
}

TEST_CASE("charts: the histogram beside a heatmap counts every pair once") {
  const Chart chart = pair_histogram({"n", "t"}, "swap", two_groups());
  const json& values = chart.spec["data"]["values"];
  REQUIRE(values.size() == 2);
  CHECK(values[0] == json{{"low", 100.0}, {"high", 102.5}, {"pairs", 6}});
  CHECK(values[1] == json{{"low", 197.5}, {"high", 200.0}, {"pairs", 9}});
  CHECK(chart.spec["layer"][0]["encoding"]["y2"] == json{{"datum", 0}});
  CHECK(chart.spec["layer"][0]["encoding"]["x"]["axis"]["title"] == "ns per swap");
  CHECK(chart.description == "Pairs of units by the nanoseconds of their swap, 15 pairs.");
  CHECK(pair_histogram({"n", "t"}, "swap", {{0, 1, 5.0}}).spec["data"]["values"][0]["pairs"] == 1);
}

TEST_CASE("charts: a flat line does not fill the height, and parts of one chart share their scale") {
  const Series flat{"card", Source::measured, {{1024, 28.99}, {2048, 29.01}}};
  const Series steep{"card", Source::measured, {{1024, 10}, {2048, 400}}};
  const auto scale = [](AxisScale along, bool over_time, const std::vector<Series>& all) {
    const CurveChart plan{.y_scale = along, .over_time = over_time};
    return layers(curve_chart(plan, {}, std::span(all).first(1), {}, all), "point")[0]["encoding"]["y"]["scale"];
  };
  CHECK(scale(AxisScale::doubled, false, {flat})["domain"] == json{26.091, 31.911});
  CHECK(scale(AxisScale::linear, true, {flat})["domain"] == json{26.091, 31.911});
  CHECK(scale(AxisScale::doubled, false, {flat, steep})["domain"] == json{10.0, 400.0});
  CHECK(scale(AxisScale::linear, false, {flat})["zero"] == true);
  CHECK(scale(AxisScale::linear, false, {flat, steep})["domain"] == json{0, 400.0});
}

TEST_CASE("charts: parts share the scale of x, time begins at 0, few octaves of sizes have quarters") {
  const Series line{"card", Source::measured, {{1792, 34}, {2600, 34}, {3900, 100}}};
  const Series longer{"card", Source::measured, {{1024, 34}, {65536, 100}}};
  const auto x = [](AxisScale along, bool over_time, const std::vector<Series>& all) {
    const CurveChart plan{.x_scale = along, .over_time = over_time};
    return layers(curve_chart(plan, {}, std::span(all).first(1), {}, all), "point")[0]["encoding"]["x"];
  };
  CHECK(x(AxisScale::bytes, false, {line})["axis"]["values"] == json{1792.0, 2048.0, 2560.0, 3072.0, 3584.0});
  CHECK_FALSE(x(AxisScale::bytes, false, {line, longer})["axis"].contains("values"));
  CHECK(x(AxisScale::bytes, false, {line, longer})["scale"]["domain"] == json{1024.0, 65536.0});
  CHECK(x(AxisScale::linear, true, {line})["scale"]["domainMin"] == 0);
  CHECK_FALSE(x(AxisScale::linear, false, {line})["scale"].contains("domainMin"));
}

TEST_CASE("charts: colours of a grid do not part rates that hardly differ") {
  const auto colours = [](double low) {
    return grid_chart({}, {}, {}, {{8, 1, low}, {16, 2, 252.3}}).spec["layer"][0]["encoding"]["color"]["scale"]["domain"];
  };
  CHECK(colours(251.8) == json{227.07, 252.3});
  CHECK(colours(100) == json{100.0, 252.3});
}

TEST_CASE("charts: labels of edges stand above the plot in three rows in turn") {
  const Series line{"card", Source::measured, {{1024, 30}, {1 << 20, 300}}};
  const Chart chart = curve_chart({.x_scale = AxisScale::bytes}, {}, std::span(&line, 1),
                                  {{65536, "card", "c"}, {4096, "card", "a"}, {8192, "card", "b"}, {131072, "card", "d"}});
  const auto texts = layers(chart, "text");
  REQUIRE(texts.size() == 3);
  CHECK(texts[0]["data"]["values"].size() == 2);
  CHECK(texts[0]["data"]["values"][0]["edge"] == "a");
  CHECK(texts[0]["data"]["values"][1]["edge"] == "d");
  CHECK(texts[1]["data"]["values"][0]["edge"] == "b");
  CHECK(texts[2]["mark"]["dy"] == -28);
  CHECK(!chart.spec.contains("padding"));  // Vega leaves the room of the labels
}

TEST_CASE("charts: the APIs of a card, gaps beyond 5 % with another mark, the largest first where there are too many") {
  std::vector<ApiPair> pairs;
  for (int i = 0; i < 100; ++i) pairs.push_back({"bandwidth", "footprint", 100, 100 + i / 10.0, "GB/s", true});
  const Chart chart = api_pairs({"n", "t"}, pairs, 1000);
  CHECK(chart.marks == 100);
  const json values = layers(chart, "point")[0]["data"]["values"];
  CHECK_WORDS("charts.small-difference", values[50]["size"]);
  CHECK_WORDS("charts.large-difference", values[51]["size"]);
  CHECK(values[51]["ratio"] == 1.051);
  CHECK_WORDS("charts.apis-description", chart.description);
  REQUIRE(chart.remarks.size() == 5);
  CHECK(chart.remarks[0] == "bandwidth, footprint: Vulkan 9.9 % faster (109.9 against 100 GB/s)");
  const Chart few = api_pairs({"n", "t"}, pairs, 10);
  CHECK(few.marks == 10);
  CHECK(few.points == 100);
  CHECK(layers(few, "point")[0]["data"]["values"][0]["gap"] == 9.9);

  // Less time is more speed.
  const Chart times = api_pairs(
      {"n", "t"}, {{"latency", "footprint", 125, 100, "ns/load", false}, {"latency", "other", 100, 125, "ns/load", false}}, 10);
  CHECK(layers(times, "point")[0]["data"]["values"][0]["ratio"] == 1.25);
  CHECK_WORDS("charts.api-remarks", times.remarks);

  // Multiples, numbers without exponents, and edges apart.
  ApiPair edge{"latency", "edge", 100, 900, "ns/load", false};
  edge.on_rise = true;
  CHECK(api_pairs({"n", "t"}, {{"throughput", "", 1000, 44900, "Gops/s", true}, edge}, 10).remarks ==
        std::vector<std::string>{
            "throughput: Vulkan 44.9 times as fast (44900 against 1000 Gops/s)",
            "1 difference of more than 5 % lies on the rise behind a cache. A shifted edge is no difference in speed."});
}

TEST_CASE("charts: both themes have as many colours as a chart has series, no two alike") {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const json colors = theme_config(theme)["range"]["category"];
    std::set<std::string> different(colors.begin(), colors.end());
    CHECK(different.size() == kMostSeries);
  }
}

}  // namespace
}  // namespace percycle::charts_test

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "charts/card_bars.hpp"
#include "check_words.hpp"
#include "report/card_columns.hpp"
#include "report/efficiency_across.hpp"
#include "report/key_figures.hpp"
#include "unit/store_examples.hpp"

namespace percycle::card_bars_test {
namespace {

using nlohmann::json;

ReportDevice device_of(Header header, std::string label) {
  ReportDevice device;
  device.source = header.source();
  device.label = std::move(label);
  device.runs.push_back({std::move(header), "", ""});
  return device;
}

Header card_header(const std::string& identity, Api api, const std::string& name = "NVIDIA Some GPU") {
  Header header = examples::header(identity + std::string(to_string(api)));
  header.identity = identity;
  header.device.api = api;
  header.device.name = name;
  return header;
}

KeyRow bandwidth_row(const char* figure, const char* unit, std::vector<KeyCell> cells) {
  return {"L1", figure, unit, Direction::higher, std::move(cells), "bandwidth of the L1"};
}

/// Three cards: one through two APIs that differ, a CPU, a document without cycles.
struct Cards {
  ReportDevice opencl = device_of(card_header("uuid:1", Api::opencl), "NVIDIA Some GPU, OpenCL");
  ReportDevice vulkan = device_of(card_header("uuid:1", Api::vulkan), "NVIDIA Some GPU, Vulkan");
  ReportDevice cpu = device_of(card_header("cpu:Some CPU", Api::opencl, "pthread"), "pthread, OpenCL");
  ReportDevice paper = device_of(examples::published_header(), "Some GPU (published 2019)");
  PointRow noisy{.parameters = {}, .figures = {{figures::kMadPercent, 2.5}}, .notes = {}};

  Cards() { cpu.runs[0].header.device.type = DeviceType::cpu; }

  KeyFigures figures() const {
    const auto value = [](const ReportDevice& device, double number, std::optional<double> share = {}) {
      return KeyValue{.value = number, .share_percent = share, .device = &device};
    };
    KeyValue slow = value(cpu, 20);
    slow.row = &noisy;
    return {{"Some GPU", "Some CPU", "Paper (2019)"},
            {bandwidth_row(figures::kGbPerS, unit_text::kGbPerS,
                           {{value(opencl, 4000, 50), value(vulkan, 6000, 75)}, {slow}, {value(paper, 5000)}}),
             bandwidth_row(figures::kBytesPerUnitCycle, "B/unit/cycle", {{value(opencl, 64, 50), {}}, {value(cpu, 10)}, {}})}};
  }
};

TEST_CASE("card bars: the best first, a bar for each API that differs, limits, shares and spreads") {
  const Cards cards;
  const KeyFigures figures = cards.figures();
  const Chart chart = card_bars(figures, figures.rows[0]);
  CHECK(chart.name == "cards-l1-per-second");
  CHECK(chart.title == "Bandwidth of the L1, in GB/s");
  CHECK(chart.spec["data"]["values"] == json::parse(R"json([
          {"card": "Some GPU, Vulkan", "series": "NVIDIA Some GPU, Vulkan", "kind": "measured", "value": 6000.0, "low": 6000.0,
           "high": 6000.0, "limit": 8000.0,
           "share": "75.0 %", "text": "6000 (75.0 %)"
},
          {"card": "Paper (2019)", "series": "Some GPU (published 2019)", "kind": "published", "value": 5000.0, "low": 5000.0,
           "high": 5000.0, "share": "",
           "text": "5000"},
          {"card": "Some GPU, OpenCL", "series": "NVIDIA Some GPU, OpenCL", "kind": "measured", "value": 4000.0, "low": 4000.0,
           "high": 4000.0, "limit": 8000.0,
           "share": "50.0 %", "text": "4000 (50.0 %)"},
          {"card": "Some CPU", "series": "pthread, OpenCL", "kind": "measured on a CPU", "value": 20.0, "low": 19.5, "high": 20.5,
           "share": "", "text": "20"}])json"));
  CHECK(chart.spec["encoding"]["y"]["scale"]["domain"] ==
        json{"Some GPU, Vulkan", "Paper (2019)", "Some GPU, OpenCL", "Some CPU"});
  CHECK(chart.spec["layer"][0]["encoding"]["color"]["legend"]["values"] == json{"measured", "published", "measured on a CPU"});
  CHECK_WORDS("card-bars.in-words", chart.description);
  REQUIRE(chart.remarks.size() == 1);
  CHECK_WORDS("card-bars.spread", chart.remarks[0]);
}

TEST_CASE("card bars: cards without the figure are named, those without cycles apart") {
  const Cards cards;
  KeyFigures figures = cards.figures();
  figures.columns.push_back("Another GPU");
  for (KeyRow& row : figures.rows) row.cells.emplace_back();
  const Chart chart = card_bars(figures, figures.rows[1]);
  CHECK(chart.name == "cards-l1-per-cycle");
  CHECK(chart.title == "Bandwidth of the L1, in bytes per unit-cycle");
  REQUIRE(chart.remarks.size() == 2);
  CHECK_WORDS("card-bars.without-cycles", chart.remarks[0]);
  CHECK_WORDS("card-bars.without-figure", chart.remarks[1]);
}

TEST_CASE("card bars: forty cards are on one picture, of many documents without a figure the number is said") {
  KeyFigures figures{{}, {bandwidth_row(figures::kGbPerS, unit_text::kGbPerS, {})}};
  for (int i = 0; i < 40; ++i) {
    figures.columns.push_back("card " + std::to_string(i));
    figures.rows[0].cells.push_back({KeyValue{.value = 100.0 + i}});
  }
  const Chart chart = card_bars(figures, figures.rows[0]);
  CHECK(chart.marks == 40);
  CHECK(chart.spec["data"]["values"][0]["card"] == "card 39");
  CHECK(chart.spec["height"] == 40 * 17);

  const ReportDevice paper = device_of(examples::published_header(), "paper");
  figures.rows.push_back({"units", kUnitsFigure, "", Direction::neither, std::vector<KeyCell>(40), ""});
  for (int i = 0; i < 13; ++i) {
    figures.columns.push_back("paper " + std::to_string(i));
    figures.rows[0].cells.emplace_back();
    figures.rows[1].cells.push_back({KeyValue{.value = 1, .device = &paper}});
  }
  CHECK_WORDS("card-bars.many-documents", card_bars(figures, figures.rows[0]).remarks.at(0));
}

TEST_CASE("card bars: sizes are in the unit that fits the largest, which comes first") {
  const Cards cards;
  const auto bytes = [](double value) { return KeyCell{KeyValue{.value = value}}; };
  KeyFigures figures{{"small", "large", "none"},
                     {{"L1 size", kSizeFigure, "", Direction::neither, {bytes(32 << 10), bytes(192 << 10), {}}, "size of the L1"},
                      {"L2 size", kSizeFigure, "", Direction::neither, {bytes(3 << 20), bytes(50 << 20), {}}, "size of the L2"},
                      {"L1 line", kLineFigure, "", Direction::neither, {bytes(64), bytes(128), {}}, "line of the L1"}}};
  const Chart small = card_bars(figures, figures.rows[0]);
  CHECK(small.name == "cards-l1-size");
  CHECK(small.title == "Size of the L1, in KiB");
  CHECK(small.spec["data"]["values"][0]["card"] == "large");
  CHECK(small.spec["data"]["values"][0]["value"] == 192);
  CHECK_WORDS("card-bars.sizes-in-words", small.description);
  CHECK(card_bars(figures, figures.rows[1]).title == "Size of the L2, in MiB");
  const Chart line = card_bars(figures, figures.rows[2]);
  CHECK(line.title == "Line of the L1, in B");
  CHECK(line.spec["data"]["values"][1]["value"] == 64);
}

TEST_CASE("card bars: rates come first, each per cycle before per second; a figure of one card has no chart") {
  const Cards cards;
  KeyFigures figures = cards.figures();
  const KeyCell value{KeyValue{.value = 30}};
  const KeyCell in_ns{KeyValue{.value = 100, .unit = unit_text::kNs}};
  figures.rows.insert(figures.rows.begin(),
                      {"L1 latency", "load_latency", unit_text::kCycles, Direction::lower, {value, value, {}}});
  figures.rows.push_back({"alone", figures::kGbPerS, unit_text::kGbPerS, Direction::higher, {value, {}, {}}});
  figures.rows.push_back({"L2 latency", "load_latency", unit_text::kCycles, Direction::lower, {value, in_ns, {}}});
  figures.rows.push_back({"L1 size", kSizeFigure, "", Direction::neither, {value, value, value}});
  std::vector<std::string> names;
  for (const Chart& chart : card_bar_charts(figures)) names.push_back(chart.name);
  CHECK(names ==
        std::vector<std::string>{"cards-l1-per-cycle", "cards-l1-per-second", "cards-l1-latency-cycles", "cards-l1-size"});
}

TEST_CASE("efficiency across cards: a row per card, a column per figure, both APIs where they differ") {
  const Cards cards;
  KeyFigures figures = cards.figures();
  figures.rows[1].cells[1].value->share_percent = 12.34;
  CHECK(to_csv(efficiency_across(figures)) ==
        "card,L1\n"
        "Some GPU,50.0 % (Vulkan 75.0 %)\n"
        "Some CPU,12.3 %\n");
}

TEST_CASE("card columns: both APIs of a card share one, CPUs have their silicon's name, documents their authors") {
  ReportData data;
  data.devices.push_back(device_of(card_header("uuid:1", Api::vulkan), "a"));
  data.devices.push_back(device_of(card_header("uuid:1", Api::opencl), "b"));
  data.devices.push_back(device_of(card_header("cpu:Some CPU", Api::opencl, "pthread"), "c"));
  data.devices.push_back(device_of(examples::published_header("1"), "d"));
  data.devices.push_back(device_of(examples::published_header("2"), "e"));
  data.devices.back().runs[0].header.publication->document = "B. Writer, C. Other: Another Paper";
  data.devices.push_back(device_of(examples::published_header("3"), "f"));
  data.devices.back().runs[0].header.publication->year = 2020;
  const std::vector<KeyColumn> columns = report_columns(data);
  std::vector<std::string> titles;
  for (const KeyColumn& column : columns) titles.push_back(column.title);
  CHECK(titles == std::vector<std::string>{"Some GPU", "Some CPU", "Some GPU (A. Author 2019)", "Some GPU (B. Writer 2019)",
                                           "Some GPU (2020)"});
  CHECK(columns[0].devices == std::vector<const ReportDevice*>{&data.devices[1], &data.devices[0]});
}

/// A published latency of the L1 in cycles and ns.
PointRow stated_latency(double cycles) {
  PointRow row;
  row.parameters = {{"path", "global"}, {"level", "L1"}};
  row.figures = {{figures::kCyclesPerOp, cycles}};
  return row;
}

TEST_CASE("key figures: all devices have rates and latencies in both units, one screen has one row") {
  ReportDevice paper = device_of(examples::published_header(), "paper");
  paper.experiments["latency"].push_back(stated_latency(32));
  PointRow adds;
  adds.figures = {{figures::kGopsPerS, 640.0}, {figures::kOpsPerUnitCycle, 2.5}};
  adds.parameters = {{"operation", "add"}, {"scenario", "own-words"}};
  paper.experiments["atomic-throughput"].push_back(adds);
  const auto names = [&](KeyDepth depth) {
    std::vector<std::string> found;
    for (const KeyRow& row : key_figures({{"paper", {&paper}}}, depth).rows) found.push_back(row.name + ": " + row.unit);
    return found;
  };
  CHECK(names(KeyDepth::table) == std::vector<std::string>{"L1 latency: cycles", "atomic adds: Gops/s"});
  CHECK(names(KeyDepth::devices) ==
        std::vector<std::string>{"L1 latency: cycles", "atomic adds: Gops/s", "atomic adds: ops/unit/cycle"});

  paper.experiments["latency"][0].figures = {{figures::kNsPerOp, 20.0}};
  CHECK(names(KeyDepth::table)[0] == "L1 latency: cycles");
  CHECK(names(KeyDepth::devices)[0] == "L1 latency: ns");
}

/// The reason that the row of atomic adds has no value of a card with this point, if any.
std::string gap_beside(std::vector<PointRow> points, Header header) {
  ReportDevice known = device_of(card_header("uuid:1", Api::opencl), "known");
  const Cells adds{{"operation", "add"}, {"scenario", "own-words"}};
  known.experiments["atomic-throughput"].push_back({.parameters = adds, .figures = {{figures::kGopsPerS, 640.0}}, .notes = {}});
  ReportDevice other = device_of(std::move(header), "other");
  for (PointRow& point : points) {
    if (point.parameters.empty()) point.parameters = adds;
    other.experiments["atomic-throughput"].push_back(std::move(point));
  }
  const KeyFigures figures = key_figures({{"known", {&known}}, {"other", {&other}}}, KeyDepth::devices);
  const auto row = std::ranges::find(figures.rows, "atomic adds", &KeyRow::name);
  REQUIRE(row != figures.rows.end());
  CHECK(row->cells[0].gap.empty());
  return row->cells[1].gap;
}

TEST_CASE("key figures: a card without a value has the reason") {
  const Header gpu = card_header("uuid:2", Api::opencl);
  PointRow unsupported{.parameters = {}, .figures = {}, .notes = {}, .reason = "no atomics", .status = Status::unsupported};
  PointRow failed{.parameters = {}, .figures = {}, .notes = {}, .reason = "timed out", .status = Status::failed};
  CHECK(gap_beside({}, gpu) == "not measured");
  CHECK(gap_beside({unsupported, failed}, gpu) == "failed: timed out");
  CHECK(gap_beside({failed, unsupported}, gpu) == "unsupported: no atomics");
  CHECK(gap_beside({failed, PointRow{}}, gpu) == "measured, but not this figure");
  failed.parameters = {{"operation", "exchange"}};
  CHECK(gap_beside({failed}, gpu) == "not measured");
  CHECK(gap_beside({}, examples::published_header()) == "not stated");
}

TEST_CASE("key figures: a level that a card lacks is not found if its latency was measured") {
  ReportDevice paper = device_of(examples::published_header(), "paper");
  paper.experiments["latency"].push_back(stated_latency(32));
  ReportDevice card = device_of(card_header("uuid:1", Api::opencl), "card");
  const auto gap = [&] {
    const KeyFigures figures = key_figures({{"paper", {&paper}}, {"card", {&card}}}, KeyDepth::devices);
    return std::ranges::find(figures.rows, "L1 latency", &KeyRow::name)->cells[1].gap;
  };
  CHECK(gap() == "not measured");
  card.experiments["latency"].push_back(stated_latency(32));
  CHECK(gap() == "not found");
  card.experiments["latency"][0].parameters = {{"path", "texture"}};
  CHECK(gap() == "not measured");
}

TEST_CASE("card bars: rates from 1000 Gops/s on are in Tops/s, with their limits") {
  const auto chart = [](double fastest) {
    const KeyRow row{"FP32",
                     figures::kGopsPerS,
                     "Gops/s",
                     Direction::higher,
                     {{KeyValue{.value = fastest, .share_percent = 50}}, {KeyValue{.value = 30}}},
                     "rate"};
    return card_bars({{"x", "y"}, {row}}, row);
  };
  CHECK(chart(999).title == "Rate, in Gops/s");
  CHECK(chart(2000).title == "Rate, in Tops/s");
  const json bars = chart(2000).spec["data"]["values"];
  CHECK(bars[0]["value"] == 2);
  CHECK(bars[0]["limit"] == 4);
  CHECK(bars[1]["value"] == 0.03);
}

TEST_CASE("card bars: titles have no names of paths and parts") {
  const KeyCell value{KeyValue{.value = 30}};
  const auto title = [&](const char* words) {
    const KeyRow row{"a", "load_latency", unit_text::kCycles, Direction::lower, {value, value}, words};
    return card_bars({{"x", "y"}, {row}}, row).title;
  };
  CHECK(title("latency of the L2 far") == "Latency of the L2 in its far part, in cycles");
  CHECK(title("latency of the global-index L2 far") == "Latency of the L2 in its far part, read by index, in cycles");
  CHECK(title("bytes that a miss of the L2 far fetches") == "Bytes that a miss of the L2 in its far part fetches, in cycles");
  CHECK(title("latency of the global-index L1") == "Latency of the L1, read by index, in cycles");
}

TEST_CASE("card bars: cards without the figure have a line for each reason") {
  const KeyCell value{KeyValue{.value = 30}};
  const auto without = [](const char* gap) { return KeyCell{.value = {}, .other = {}, .gap = gap}; };
  const KeyFigures figures{
      {"a", "b", "c", "d"},
      {bandwidth_row(figures::kGbPerS, unit_text::kGbPerS,
                     {value, without("not measured"), without("unsupported: no images"), without("not measured")})}};
  CHECK(card_bars(figures, figures.rows[0]).remarks ==
        std::vector<std::string>{"Not measured (b, d).", "Unsupported: no images (c)."});
}

}  // namespace
}  // namespace percycle::card_bars_test

#include "report/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "check_words.hpp"
#include "core/error.hpp"
#include "core/timed_sample.hpp"
#include "report/comparison_text.hpp"
#include "report/markdown_table.hpp"
#include "report/report_json.hpp"
#include "source_folders.hpp"
#include "stats/summary.hpp"
#include "unit/published_files.hpp"
#include "unit/store_examples.hpp"

namespace percycle::comparison_test {
namespace {

using Samples = std::vector<double>;

/// A latency in ns: each sample one load.
PointRecord latency(const std::string& header, std::int64_t footprint, const Samples& ns) {
  PointRecord record;
  record.header = header;
  record.result.point = examples::point(footprint);
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "host timer";
  for (const double each : ns) measurement.samples.push_back({.ops = 1, .timing = {each, std::nullopt}, .clock = {}});
  measurement.statistics["ns_per_op"] = summarise(ns);
  return record;
}

/// A bandwidth of an L1: each sample 1000 bytes.
PointRecord bandwidth(const std::string& header, Parameters parameters, const Samples& ns) {
  PointRecord record = latency(header, 1, ns);
  record.result.point = {"l1-bandwidth", std::move(parameters)};
  record.result.measurement->work = Work{.bytes_per_op = 1000, .group_bytes_per_op = 1000};
  Samples gb_s;
  for (const double each : ns) gb_s.push_back(1000 / each);
  record.result.measurement->statistics["gb_per_s"] = summarise(gb_s);
  return record;
}

/// A file of one run by this driver.
LoadedFile file(const std::string& name, const std::string& id, const std::string& driver = "1", Api api = Api::opencl) {
  LoadedFile file;
  file.path = name;
  file.headers = {examples::header(id)};
  file.headers[0].device.driver = driver;
  file.headers[0].device.api = api;
  return file;
}

constexpr const char* kOne = "0000000000000001";
constexpr const char* kTwo = "0000000000000002";
constexpr const char* kThree = "0000000000000003";

RunComparison compare_two(const Entry& before, const Entry& after) {
  static std::vector<LoadedFile> files;  // a comparison points into them
  files = {file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "2")};
  files[0].entries = {before};
  files[1].entries = {after};
  return compare(files, {});
}

std::string refusal(const std::vector<LoadedFile>& files) {
  try {
    compare(files, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "compared";
}

TEST_CASE("comparison: key figures alone leave out intervals of noise, and judge alike") {
  std::vector<LoadedFile> files{file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "2")};
  // Noise below 1 %, within the spread between runs, and by wide samples; then two true changes.
  const std::vector<std::pair<Samples, Samples>> changes{{{100, 100, 101}, {100.5, 100.5, 101}},
                                                         {{100, 100, 101}, {101.2, 101.2, 101.3}},
                                                         {{60, 100, 160}, {80, 130, 200}},
                                                         {{100, 100, 101}, {150, 150, 151}},
                                                         {{100, 100, 101}, {50, 50, 51}}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto footprint = static_cast<std::int64_t>(1024 << (4 * i));
    files[0].entries.emplace_back(latency(kOne, footprint, changes[i].first));
    files[1].entries.emplace_back(latency(kTwo, footprint, changes[i].second));
  }
  const auto all = compare(files, {});
  const auto key = compare(files, {}, ComparisonDepth::key_figures);
  REQUIRE(key.pairs.size() == 1);
  for (const ChangeVerdict verdict : {ChangeVerdict::better, ChangeVerdict::worse, ChangeVerdict::noise, ChangeVerdict::edge})
    CHECK(key.pairs[0].count(verdict) == all.pairs[0].count(verdict));
  CHECK(key.pairs[0].count(ChangeVerdict::noise) == 3);
  CHECK(key.pairs[0].count(ChangeVerdict::better) == 1);
  for (const auto& each : key.pairs[0].rows) CHECK(each.second.change.ratio == all.pairs[0].rows.at(each.first).change.ratio);
}

TEST_CASE("comparison: a latency that rose is worse, a bandwidth that rose is better") {
  const auto slower = compare_two(latency(kOne, 1024, {100, 100, 101}), latency(kTwo, 1024, {110, 110, 111}));
  REQUIRE(slower.pairs.size() == 1);
  CHECK(slower.pairs[0].relation == SidePair::Relation::states);
  const ChangeRow& row = slower.pairs[0].rows.at("latency footprint=1024 path=global");
  CHECK(row.verdict == ChangeVerdict::worse);
  CHECK(row.change.ratio == 1.1);
  // Each sample alone gives 110 / 101 and 1.11; two runs on a card differ by 0.8 %.
  CHECK(row.change.low == doctest::Approx(1.1 * std::exp(-std::hypot(std::log(101.0 / 100), std::log(1.008)))).epsilon(1e-9));
  CHECK(row.change.high == doctest::Approx(1.1 * std::exp(std::hypot(std::log(1.11 / 1.1), std::log(1.008)))).epsilon(1e-9));
  CHECK(row.before->value == 100);
  CHECK(slower.tables.empty());  // all sides are one device

  const auto quicker =
      compare_two(bandwidth(kOne, {{"path", "global"}}, {10, 10, 10}), bandwidth(kTwo, {{"path", "global"}}, {8, 8, 8}));
  CHECK(quicker.pairs.at(0).rows.at("l1-bandwidth path=global").verdict == ChangeVerdict::better);
  CHECK(quicker.pairs[0].rows.at("l1-bandwidth path=global").change.ratio == 1.25);
  const auto less =
      compare_two(bandwidth(kOne, {{"path", "global"}}, {8, 8, 8}), bandwidth(kTwo, {{"path", "global"}}, {10, 10, 10}));
  CHECK(less.pairs.at(0).rows.at("l1-bandwidth path=global").verdict == ChangeVerdict::worse);
}

/// The verdict of one change, one run on each side.
ChangeVerdict verdict_of(const Entry& before, const Entry& after) {
  return compare_two(before, after).pairs.at(0).rows.begin()->second.verdict;
}

TEST_CASE("comparison: an interval that holds none is noise, and with one run on each side it has the spread between runs") {
  CHECK(verdict_of(latency(kOne, 1, {90, 100, 130}), latency(kTwo, 1, {100, 110, 140})) == ChangeVerdict::noise);
  // Up to one percent is noise in any case; latencies of two runs differ by 0.8 %.
  CHECK(verdict_of(latency(kOne, 1, {100, 100}), latency(kTwo, 1, {100.9, 100.9})) == ChangeVerdict::noise);
  CHECK(verdict_of(latency(kOne, 1, {100, 100}), latency(kTwo, 1, {101.1, 101.1})) == ChangeVerdict::worse);
  // A hand-over between units differs by 99.4 %, since other units may meet.
  for (const auto& [ns, verdict] : {std::pair(199.0, ChangeVerdict::noise), std::pair(200.0, ChangeVerdict::worse)}) {
    PointRecord before = latency(kOne, 1, {100, 100});
    PointRecord after = latency(kTwo, 1, {ns, ns});
    before.result.point = after.result.point = {"atomic-handover", {{"between", "unit"}}};
    CHECK(verdict_of(before, after) == verdict);
  }
}

TEST_CASE("comparison: on a slope over the footprint, one run on each side differs more") {
  const auto verdict = [](double ns_above) {
    std::vector<LoadedFile> files{file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "2")};
    files[0].entries = {latency(kOne, 1024, {100, 100}), latency(kOne, 2048, {ns_above, ns_above})};
    files[1].entries = {latency(kTwo, 1024, {101.5, 101.5}), latency(kTwo, 2048, {ns_above, ns_above})};
    return compare(files, {}).pairs.at(0).rows.at("latency footprint=1024 path=global").verdict;
  };
  CHECK(verdict(104) == ChangeVerdict::worse);
  CHECK(verdict(110) == ChangeVerdict::noise);  // 1.9 % on a slope
}

TEST_CASE("comparison: three runs per side show a change of one and a half percent, two do not") {
  for (const int runs : {2, 3}) {
    std::vector<LoadedFile> files;
    for (int i = 0; i < runs; ++i) {
      for (const bool is_new : {false, true}) {
        const std::string id = std::string(14, '0') + (is_new ? "1" : "2") + std::to_string(i);
        files.push_back(file(id + ".jsonl", id, is_new ? "2" : "1"));
        PointRecord record = latency(id, 1, {is_new ? 101.5 : 100.0, is_new ? 101.5 : 100.0});
        record.result.point = {"instruction-latency", {}};
        files.back().entries = {record};
      }
    }
    const auto comparison = compare(files, {});
    // By driver, although each file has only one of the runs.
    REQUIRE(comparison.sides.size() == 2);
    CHECK(comparison.sides[0].runs.size() == static_cast<std::size_t>(runs));
    const auto verdict = comparison.pairs.at(0).rows.begin()->second.verdict;
    CHECK(verdict == (runs == 3 ? ChangeVerdict::worse : ChangeVerdict::noise));
  }
}

TEST_CASE("comparison: questions of one side only are named, with their outcome on the other") {
  std::vector<LoadedFile> files{file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "2")};
  PointRecord failed = latency(kTwo, 2048, {1});
  failed.result.outcome = {Status::failed, "it crashed"};
  failed.result.measurement.reset();
  files[0].entries = {latency(kOne, 1024, {1, 1}), latency(kOne, 2048, {1, 1}), latency(kOne, 4096, {1, 1})};
  files[1].entries = {latency(kTwo, 1024, {1, 1}), failed, latency(kTwo, 8192, {1, 1})};
  const auto comparison = compare(files, {});
  const SidePair& pair = comparison.pairs.at(0);
  CHECK(pair.rows.size() == 1);
  CHECK(pair.missing ==
        std::vector<std::string>{"latency footprint=2048 path=global (failed)", "latency footprint=4096 path=global"});
  CHECK(pair.added == std::vector<std::string>{"latency footprint=8192 path=global"});
  const std::string text = to_text(comparison, TextFormat::plain);
  CHECK_WORDS("comparison.a-only", line_with(text, "in A"));
  CHECK_WORDS("comparison.b-only", line_with(text, "in B"));
}

TEST_CASE("comparison: a search's matrix does not count, only the best of its best, in any configuration") {
  const auto shaped = [](const char* id, const char* role, std::int64_t group_size, double ns) {
    return bandwidth(id, {{"path", "global"}, {"role", role}, {"group_size", group_size}, {"subgroup_size", std::int64_t{32}}},
                     {ns, ns});
  };
  std::vector<LoadedFile> files{file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "2")};
  files[0].entries = {shaped(kOne, "search", 64, 1), shaped(kOne, "best", 128, 10), shaped(kOne, "best", 256, 8)};
  files[1].entries = {shaped(kTwo, "best", 1024, 5), shaped(kTwo, "search", 256, 1)};
  const auto comparison = compare(files, {});
  const ChangeRow& row = comparison.pairs.at(0).rows.at("l1-bandwidth path=global");
  CHECK(row.question == Point{"l1-bandwidth", {{"path", "global"}}});
  CHECK(row.before->value == 125);
  CHECK(row.after->value == 200);
  CHECK(row.after->runs == RunSamples{{200, 200}});
}

TEST_CASE("comparison: for one card through two APIs, changes up to 5 % are noise") {
  std::vector<LoadedFile> files{file("opencl.jsonl", kOne, "1", Api::opencl), file("vulkan.jsonl", kTwo, "1", Api::vulkan)};
  files[0].entries = {latency(kOne, 1024, {100, 100}), latency(kOne, 2048, {100, 100})};
  files[1].entries = {latency(kTwo, 1024, {104, 104}), latency(kTwo, 2048, {94, 94})};
  const auto comparison = compare(files, {});
  REQUIRE(comparison.pairs.size() == 1);
  CHECK(comparison.pairs[0].relation == SidePair::Relation::apis);
  CHECK(comparison.sides[comparison.pairs[0].before].header->device.api == Api::opencl);
  CHECK(comparison.pairs[0].rows.at("latency footprint=1024 path=global").verdict == ChangeVerdict::noise);
  CHECK(comparison.pairs[0].rows.at("latency footprint=2048 path=global").verdict == ChangeVerdict::better);
  std::swap(files[0], files[1]);
  const auto swapped = compare(files, {});
  CHECK(swapped.sides[swapped.pairs.at(0).before].header->device.api == Api::opencl);
}

TEST_CASE("comparison: files of one driver form one side, except a file that repeats points") {
  std::vector<LoadedFile> files{file("a.jsonl", kOne), file("b.jsonl", kTwo), file("c.jsonl", kThree)};
  files[0].entries = {latency(kOne, 1024, {1, 1})};
  files[1].entries = {latency(kTwo, 2048, {1, 1})};
  files[2].entries = {latency(kThree, 1024, {1, 1})};
  const auto comparison = compare(files, {});
  REQUIRE(comparison.sides.size() == 2);
  CHECK(comparison.sides[0].files == std::vector<std::string>{"a.jsonl", "b.jsonl"});
  CHECK(comparison.sides[0].answers.size() == 2);
  CHECK(comparison.sides[1].files == std::vector<std::string>{"c.jsonl"});
  CHECK(comparison.sides[1].name == "B");
}

TEST_CASE("comparison: a simulated device is the same by its name, its model the driver") {
  std::vector<LoadedFile> files{file("a.jsonl", kOne), file("b.jsonl", kTwo)};
  for (const std::size_t i : {0u, 1u}) {
    files[i].headers = {examples::simulated_header(i == 0 ? kOne : kTwo)};
    files[i].headers[0].device.driver = i == 0 ? "model 1" : "model 2";
    files[i].headers[0].identity += files[i].headers[0].device.driver;
    files[i].entries = {latency(files[i].headers[0].id, 1024, {1.0 + static_cast<double>(i), 1.0 + static_cast<double>(i)})};
  }
  const auto comparison = compare(files, {});
  REQUIRE(comparison.pairs.size() == 1);
  CHECK(comparison.pairs[0].relation == SidePair::Relation::states);
  CHECK_WORDS("comparison.simulated", line_with(to_text(comparison, TextFormat::plain), "simulated:"));
}

TEST_CASE("comparison: nothing to compare is said") {
  LoadedFile one = file("one.jsonl", kOne);
  one.entries = {latency(kOne, 1024, {1, 1})};
  CHECK_WORDS("comparison.one-device", refusal({one}));
  CHECK_WORDS("comparison.run-again", refusal({one, one}));
  LoadedFile other = file("other.jsonl", kTwo, "2");
  other.entries = {latency(kTwo, 2048, {1, 1})};
  CHECK_WORDS("comparison.nothing-ok", refusal({one, other}));
}

TEST_CASE("comparison: across devices each unit has its own name, and a document's narrower question fills a run's") {
  std::vector<LoadedFile> files{file("run.jsonl", kOne)};
  files[0].headers[0].identity = "uuid:1";
  files[0].entries = {
      bandwidth(kOne, {{"path", "texture"}, {"width", std::int64_t{16}}, {"footprint", std::int64_t{4096}}, {"variant", "plain"}},
                {10, 10})};
  files.push_back(published::files().at("gpu-l1-article-rdna2-l1"));
  files.back().path = "rdna2.jsonl";
  const auto comparison = compare(files, limits_catalogue());
  REQUIRE(comparison.sides.size() == 2);
  CHECK(comparison.pairs.empty());
  REQUIRE(comparison.tables.at("l1-bandwidth").size() == 2);
  CHECK(to_text(comparison, TextFormat::plain) ==
        "Compared\n"
        "  A  Some GPU (opencl, driver 1, 132 x SM), 1 run, measured 2026-11-21T09:30:00Z: run.jsonl\n"
        "  B  RX 6900 XT (AMD), published in Chips and Cheese: A New Year and New Tests: GPU L1 Cache Bandwidth (2023), not\n"
        "      measured by percycle: rdna2.jsonl\n"
        "\nl1-bandwidth: footprint=4 KiB path=texture variant=plain width=16\n"
        "  point                device        value  unit          in cycles  % of limit\n"
        "  clock_setting=1 GHz  A Some GPU      100  GB/s\n"
        "                       B RX 6900 XT   9916  GB/s  247.9 B/WGP/cycle        96.8\n"
        "  -                    A Some GPU      100  GB/s\n"
        "                       B RX 6900 XT  23399  GB/s\n");
}

TEST_CASE("comparison: as text, Markdown and JSON") {
  const auto comparison = compare_two(latency(kOne, 1024, {100, 100}), latency(kTwo, 1024, {110, 110}));
  const std::string text = to_text(comparison, TextFormat::plain);
  CAPTURE(text);
  CHECK(text.find("\nSome GPU, opencl: from 1 (A) to 2 (B)\n"
                  "  within 1 %: 0 of 1 point; median +10.00 %; largest +10.00 % (latency footprint=1 KiB path=global)\n"
                  "  latency\n"
                  "    point                          A    B  unit   change %    95 % interval\n"
                  "    footprint=1 KiB path=global  100  110  ns/op    +10.00  +9.13 to +10.88  worse\n"
                  "  1 common point: 1 worse, 0 better, 0 noise\n") != std::string::npos);
  const std::string markdown = to_text(comparison, TextFormat::markdown);
  CHECK(markdown.find("## Some GPU, opencl: from 1 (A) to 2 (B)\n\n"
                      "- within 1 %: 0 of 1 point; median +10.00 %; largest +10.00 % (latency footprint=1024 path=global)\n"
                      "| experiment | point | A | B | unit | change % | 95 % interval |  |\n"
                      "| --- | --- | ---: | ---: | --- | ---: | ---: | --- |\n"
                      "| latency | footprint=1024 path=global | 100 | 110 | ns/op | +10.00 | +9.13 to +10.88 | worse |\n") !=
        std::string::npos);
  const auto json = to_json(comparison);
  CHECK(json["pairs"][0]["kind"] == "states");
  CHECK(json["pairs"][0]["points"].size() == 1);
  CHECK(json["pairs"][0]["points"][0]["metric"] == "ns_per_op");
  CHECK(json["pairs"][0]["points"][0]["change_percent"].get<double>() == doctest::Approx(10));
  CHECK(json["pairs"][0]["points"][0]["verdict"] == "worse");
  CHECK(json["sides"][1]["driver"] == "2");
}

/// Latencies by footprint, the same on both sides except for a ratio.
std::vector<LoadedFile> changed_by(const std::vector<std::pair<std::int64_t, double>>& ratios, Api api) {
  std::vector<LoadedFile> files{file("a.jsonl", kOne, "1"), file("b.jsonl", kTwo, "2", api)};
  for (const auto& [footprint, ratio] : ratios) {
    files[0].entries.push_back(latency(kOne, footprint, {100, 100}));
    files[1].entries.push_back(latency(kTwo, footprint, {100 * ratio, 100 * ratio}));
  }
  return files;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("comparison: plain text holds an experiment's 20 largest changes and counts the others, Markdown and JSON hold all") {
  std::vector<std::pair<std::int64_t, double>> ratios{{1024, 1.0}};
  for (std::int64_t i = 1; i <= 23; ++i) ratios.emplace_back(1024 + i, 1 + 0.1 * static_cast<double>(i));
  std::vector<LoadedFile> files = changed_by(ratios, Api::opencl);
  for (const std::size_t i : {0u, 1u})
    files[i].entries.push_back(bandwidth(i == 0 ? kOne : kTwo, {{"path", "global"}}, {i == 0 ? 10.0 : 8.0, i == 0 ? 10.0 : 8.0}));
  const auto comparison = compare(files, {});
  const std::string text = to_text(comparison, TextFormat::plain);
  CAPTURE(text);
  CHECK(count_of(text, "\n  latency: path=global\n") == 1);
  CHECK(count_of(text, "\n  l1-bandwidth\n") == 1);
  CHECK(count_of(text, "\n    footprint=") == 20);
  CHECK(count_of(text, "\n    footprint=1047 B ") == 1);  // the largest
  CHECK(count_of(text, "\n    footprint=1028 B ") == 1);  // the 20th
  CHECK(count_of(text, "footprint=1027 B ") == 0);
  CHECK_WORDS("comparison.smaller-ones", line_with(text, "listed by"));
  const std::string markdown = to_text(comparison, TextFormat::markdown);
  const std::string wide = to_text(comparison, TextFormat::wide);
  CHECK(count_of(wide, "\n    footprint=10") == 23);
  CHECK(count_of(wide, "\n    footprint=1027 B path=global ") == 1);  // with all parameters
  CHECK(count_of(markdown, "\n| latency ") == 23);
  CHECK(markdown.find("smaller ones") == std::string::npos);
  CHECK(to_json(comparison)["pairs"][0]["points"].size() == 25);
}

TEST_CASE("comparison: plain text holds the five largest gaps between APIs of an experiment") {
  std::vector<std::pair<std::int64_t, double>> ratios;
  for (std::int64_t i = 1; i <= 7; ++i) ratios.emplace_back(1024 + i, 1 + 0.1 * static_cast<double>(i));
  const std::vector<LoadedFile> files = changed_by(ratios, Api::vulkan);
  const auto comparison = compare(files, {});
  const std::string text = to_text(comparison, TextFormat::plain);
  CAPTURE(text);
  CHECK(count_of(text, "\n    footprint=") == 5);
  CHECK(count_of(text, "\n    footprint=1027 B ") == 1);
  CHECK_WORDS("comparison.two-smaller-ones", line_with(text, "listed by"));
  CHECK(count_of(to_text(comparison, TextFormat::wide), "\n    footprint=") == 7);
}

TEST_CASE("comparison: plain text of several devices holds the 20 questions per experiment that differ most") {
  std::vector<LoadedFile> files{file("one.jsonl", kOne), file("two.jsonl", kTwo)};
  files[1].headers[0].identity = "uuid:another";
  for (std::int64_t i = 0; i < 23; ++i) {
    // The largest difference is in the middle, 1011, the smallest at 1000, 1001 and 1022.
    const double times = 20 - static_cast<double>(i < 11 ? 11 - i : i - 11) + (i > 11 ? 0.5 : 0);
    files[0].entries.push_back(latency(kOne, 1000 + i, {1, 1}));
    files[1].entries.push_back(latency(kTwo, 1000 + i, {times, times}));
  }
  const auto comparison = compare(files, {});
  REQUIRE(comparison.tables.at("latency").size() == 23);
  const std::string text = to_text(comparison, TextFormat::plain);
  CAPTURE(text);
  CHECK(count_of(text, "\n  footprint=") == 20);
  for (const char* left_out : {"footprint=1000 B ", "footprint=1001 B ", "footprint=1022 B "})
    CHECK(count_of(text, left_out) == 0);
  CHECK(text.find("footprint=1002 B ") < text.find("footprint=1011 B "));
  CHECK(text.find("footprint=1011 B ") < text.find("footprint=1021 B "));
  CHECK_WORDS("comparison.three-more", line_with(text, "listed by"));
  const std::string markdown = to_text(comparison, TextFormat::markdown);
  CHECK(count_of(markdown, "\n| footprint=") == 23);
  CHECK(markdown.find(" more, ") == std::string::npos);
  CHECK(to_json(comparison)["points"].size() == 23);
}

TEST_CASE("comparison: two APIs' gaps are sorted by size, changes over time worse first") {
  const std::vector<std::pair<std::int64_t, double>> ratios{{1024, 1.1}, {2048, 0.5}, {4096, 1.2}};
  const auto order = [&](Api api) {
    const auto files = changed_by(ratios, api);
    const std::string text = to_text(compare(files, {}), TextFormat::plain);
    std::string found;
    const std::size_t table = text.find("\n    point ");  // behind the overall line
    for (std::size_t at = text.find("footprint=", table); at != std::string::npos; at = text.find("footprint=", at + 1))
      found += text.substr(at + 10, 5);
    return found;
  };
  CHECK(order(Api::vulkan) == "2 KiB4 KiB1 KiB");
  CHECK(order(Api::opencl) == "4 KiB1 KiB2 KiB");
}

TEST_CASE("comparison: two cards of one name have numbers wherever the text names them") {
  std::vector<LoadedFile> files{file("one.jsonl", kOne), file("two.jsonl", kTwo)};
  files[1].headers[0].identity = "uuid:another";
  files[0].entries = {latency(kOne, 1024, {10, 10, 10})};
  files[1].entries = {latency(kTwo, 1024, {20, 20, 20})};
  const std::string text = to_text(compare(files, limits_catalogue()), TextFormat::plain);
  CAPTURE(text);
  CHECK(text.find("A  Some GPU #1 (") != std::string::npos);
  CHECK(text.find("B  Some GPU #2 (") != std::string::npos);
  CHECK(text.find("A Some GPU #1 ") != std::string::npos);
  CHECK(text.find("B Some GPU #2 ") != std::string::npos);
}

TEST_CASE("Markdown: markup stays text") {
  std::vector<LoadedFile> files{file("old.jsonl", kOne, "1"), file("new.jsonl", kTwo, "<script>")};
  files[0].headers[0].device.name = "GPU <b>|x\n# y";
  files[0].entries = {latency(kOne, 1024, {100, 100})};
  files[1].entries = {latency(kTwo, 1024, {110, 110})};
  const std::string text = to_text(compare(files, {}), TextFormat::markdown);
  CHECK(text.find("## GPU \\<b\\>\\|x \\# y, opencl: from 1 (A) to \\<script\\> (B)\n") != std::string::npos);
  CHECK(text.find("<b>") == std::string::npos);
  CHECK(text.find("<script>") == std::string::npos);

  CHECK(markdown_text("a|b_c\n<i>*`") == "a\\|b\\_c \\<i\\>\\*\\`");
  CHECK(markdown_table({.columns = {{"x|", Align::left}, {"n"}}, .rows = {{{"a", "1"}, {}}, {{"b"}, "failed"}}}) ==
        "| x\\| | n |\n| --- | ---: |\n| a | 1 |\n| b | failed |\n");
}

TEST_CASE("comparison: the compared samples of real records give the recorded medians") {
  std::size_t checked = 0;
  for (const char* name :
       {"nvidia-h200-codegen-opencl.jsonl", "nvidia-h200-atomics-vulkan.jsonl", "amd-epyc-pocl-latency.jsonl"}) {
    std::vector<LoadedFile> files{load(records_folder() / name)};
    files.push_back(published::files().at("t4-report-table-3.1"));  // a second side
    const auto comparison = compare(files, limits_catalogue());
    for (const Side& side : comparison.sides) {
      for (const auto& pair : side.answers) {
        const auto& question = pair.first;
        const auto& answer = pair.second;
        if (answer.header->published()) continue;
        CAPTURE(question);
        REQUIRE(!answer.runs.empty());
        CHECK(median(answer.runs.back()) ==
              doctest::Approx(answer.result->measurement->statistics.at(std::string(answer.metric.name)).median).epsilon(1e-12));
        ++checked;
      }
    }
  }
  CHECK(checked > 40);
}

TEST_CASE("a sample's time is the input of its statistic, for any clock") {
  Measurement measurement;
  measurement.idle_ns = 30;
  Sample sample{.ops = 1, .timing = {130, 100}, .clock = {}};
  measurement.time_source = "host timer";
  CHECK(timed_ns(measurement, sample) == 100);
  measurement.time_source = "device timer";
  CHECK(timed_ns(measurement, sample) == 70);
  measurement.time_source = "in-kernel clock";
  CHECK_FALSE(timed_ns(measurement, sample));
  sample.clock.realtime_ns = 50;
  CHECK(timed_ns(measurement, sample) == 50);
  sample.groups.emplace().groups = 2;
  CHECK_FALSE(timed_ns(measurement, sample));
  sample.groups->span_ns = 60;
  CHECK(timed_ns(measurement, sample) == 60);
}

}  // namespace
}  // namespace percycle::comparison_test

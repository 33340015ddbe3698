#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "expected/access_pattern.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "sim_examples.hpp"
#include "unit/measured_model.hpp"

namespace percycle::access_pattern_test {
namespace {

/// 16 and 4 B per cycle of each of four units from L2 and memory, in sectors of 32 B.
sim::Model model() {
  sim::Model model = sim::examples::small();
  model.caches[0].bytes_per_cycle = 64;
  model.caches[1].size_bytes = kMiB;
  model.caches[1].bytes_per_cycle = 64;
  model.memory_bytes_per_cycle = 16;
  return model;
}

Point point(const char* level, std::int64_t width, const char* test, std::int64_t value) {
  return {"access-pattern",
          {{"test", std::string(test)},
           {"level", std::string(level)},
           {"width", width},
           {test, value},
           {"footprint", static_cast<std::int64_t>(std::string(level) == "l2" ? 512 * kKiB : 4 * kMiB)},
           {"groups_per_unit", std::int64_t{1}}}};
}

double bytes_per_unit_cycle(const Point& requested, const sim::Model& model) {
  const PointResult result = examples::measured(requested, model);
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  return result.measurement->statistics.at("bytes_per_unit_cycle").median;
}

TEST_CASE("access pattern: the bytes that a row touches are those of a walk over its bytes") {
  for (const std::uint32_t width : {4u, 8u, 16u}) {
    for (std::uint32_t stride = width; stride <= 272; stride += width) {
      for (std::uint32_t first = 0; first <= 256; first += width) {
        const LaneRow row{.lanes = 32, .width = width, .stride = stride, .first = first};
        for (const std::uint64_t granule : {4, 8, 32, 64, 128, 256}) {
          std::set<std::uint64_t> touched;
          for (std::uint64_t lane = 0; lane < row.lanes; ++lane) {
            for (std::uint64_t byte = 0; byte < width; ++byte) touched.insert((first + lane * stride + byte) / granule);
          }
          if (touched_bytes(row, granule) == touched.size() * granule) continue;
          CAPTURE(width);
          CAPTURE(stride);
          CAPTURE(first);
          CAPTURE(granule);
          CHECK(touched_bytes(row, granule) == touched.size() * granule);
        }
      }
    }
  }
  CHECK(LaneRow{}.asked_bytes() == 128);
  CHECK(touched_bytes({.stride = 128}, 32) == 1024);
  CHECK(touched_bytes({.first = 4}, 128) == 256);
}

TEST_CASE("access pattern: sums are those of the steps that a lane takes") {
  const RowTiles tiles{.row = {.lanes = 4, .width = 8, .stride = 24, .first = 16}, .pitch = 128, .lane_rows = 2, .unroll = 4};
  CHECK(tiles.bytes() == 1024);
  const DataWords words(5);
  const auto word = [&](std::uint64_t i) { return words.word(i); };
  const auto sums = row_sums(tiles, 3, 5, words);
  REQUIRE(sums.size() == 8);
  for (std::uint32_t local_id = 0; local_id < 8; ++local_id) {
    // As in the kernel: in vectors of two words.
    const std::uint64_t first = local_id / 4 * 4 * 16 + local_id % 4 * 3 + 2;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    for (std::uint64_t tile = 3; tile < 5; ++tile) {
      const std::uint64_t row = tile * 128 + first;
      x += word(2 * row) ^ word(2 * (row + 16)) ^ word(2 * (row + 32)) ^ word(2 * (row + 48));
      y += word(2 * row + 1) ^ word(2 * (row + 16) + 1) ^ word(2 * (row + 32) + 1) ^ word(2 * (row + 48) + 1);
    }
    CHECK(sums[local_id] == x + 3 * y);
  }
}

TEST_CASE("access pattern: a level moves its bytes per cycle in whole sectors") {
  struct Share {
    std::int64_t value;
    double share;
  };
  for (const char* level : {"l2", "dram"}) {
    const double bytes = std::string(level) == "l2" ? 16 : 4;
    CAPTURE(level);
    for (const Share& by_stride : {Share{1, 1}, Share{2, 1 / 2.0}, Share{3, 1 / 3.0}, Share{8, 1 / 8.0}, Share{32, 1 / 8.0}}) {
      CAPTURE(by_stride.value);
      CHECK(bytes_per_unit_cycle(point(level, 4, "stride", by_stride.value), model()) ==
            doctest::Approx(bytes * by_stride.share).epsilon(0.02));
    }
    CHECK(bytes_per_unit_cycle(point(level, 16, "stride", 8), model()) == doctest::Approx(bytes / 2).epsilon(0.02));
    for (const Share& misaligned : {Share{0, 1}, Share{4, 4 / 5.0}, Share{32, 1}, Share{96, 1}}) {
      CAPTURE(misaligned.value);
      CHECK(bytes_per_unit_cycle(point(level, 4, "misalignment", misaligned.value), model()) ==
            doctest::Approx(bytes * misaligned.share).epsilon(0.02));
    }
  }
}

TEST_CASE("access pattern: a level asks the next for whole sectors of its own") {
  sim::Model lines = model();
  lines.caches[0].sector_bytes = 128;
  CHECK(bytes_per_unit_cycle(point("l2", 4, "stride", 32), lines) == doctest::Approx(16 / 32.0).epsilon(0.02));
  sim::Model behind = model();
  behind.caches[1].sector_bytes = 128;
  CHECK(bytes_per_unit_cycle(point("l2", 4, "stride", 32), behind) == doctest::Approx(16 / 8.0).epsilon(0.02));
  CHECK(bytes_per_unit_cycle(point("dram", 4, "stride", 32), behind) == doctest::Approx(4 / 32.0).epsilon(0.02));
}

TEST_CASE("access pattern: planned lanes are aligned and do not overlap; each point counts the bytes that a row touches") {
  const Experiment& experiment = *find_experiment("access-pattern");
  const DeviceInfo gpu = fake::gpu();
  const auto planned = [&](const std::map<std::string, std::string>& set, Preset preset) {
    return experiment.plan(gpu, make_options(std::vector{&experiment}, set, preset, 1).front(), {});
  };
  const auto number = [](const Point& each, const char* name) { return integer_or(each.parameters, name, -1); };
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> misaligned;
  for (const Point& each : planned({}, Preset::standard)) {
    CAPTURE(to_string(each));
    CHECK_FALSE(experiment.unsupported(gpu, each));
    if (word(each.parameters, "level") != "l2" || number(each, "width") != 16) continue;
    if (number(each, "stride") > 0) strides.push_back(number(each, "stride"));
    if (number(each, "misalignment") >= 0) misaligned.push_back(number(each, "misalignment"));
    CHECK(number(each, "asked_bytes") == 512);
    if (number(each, "stride") == 32) {
      CHECK(number(each, "sectors_bytes") == 1024);
      CHECK(number(each, "lines_bytes") == 4096);
    }
    if (number(each, "misalignment") == 16) {
      CHECK(number(each, "sectors_bytes") == 544);
      CHECK(number(each, "lines_bytes") == 640);
    }
  }
  CHECK(strides == std::vector<std::int64_t>{4, 8, 16, 32});
  CHECK(misaligned == std::vector<std::int64_t>{0, 16, 32, 64, 96});
  for (const Point& each : planned({}, Preset::quick)) CHECK(word(each.parameters, "level") == "l2");
  CHECK(planned({{"test", "stride"}, {"level", "l2"}, {"stride", "6"}}, Preset::standard).size() == 2);
  CHECK_THROWS_WORDS("access-pattern.stride-of-widths", UsageError,
                     planned({{"test", "stride"}, {"stride", "3"}, {"width", "8"}}, Preset::standard));
  const Point tiny = planned({{"l2_footprint", "2K"}, {"level", "l2"}}, Preset::quick).front();
  CHECK_WORDS("access-pattern.less-than-a-tile", experiment.unsupported(gpu, tiny));
}

}  // namespace
}  // namespace percycle::access_pattern_test

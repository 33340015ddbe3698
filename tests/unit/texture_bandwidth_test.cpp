#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/units.hpp"
#include "expected/texture_bandwidth.hpp"
#include "expected/texture_filter.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "sim_examples.hpp"
#include "unit/measured_model.hpp"

namespace percycle::texture_bandwidth_test {
namespace {

const Experiment& experiment() { return *find_experiment("texture-bandwidth"); }

std::vector<Point> planned(const std::map<std::string, std::string>& set, Preset preset, const DeviceInfo& device = fake::gpu()) {
  return experiment().plan(device, make_options(std::vector{&experiment()}, set, preset, 1).front(), {});
}

std::int64_t number(const Point& point, const char* name) { return integer_or(point.parameters, name, -1); }

Point point(const std::string& format, std::int64_t width, const std::string& block, std::int64_t stride = 1) {
  Point example{"texture-bandwidth",
                {{"test", std::string(stride == 1 ? "block" : "stride")},
                 {"format", format},
                 {"width", width},
                 {"block", block},
                 {"footprint", 1024 * width * stride},
                 {"group_size", std::int64_t{256}},
                 {"groups_per_unit", std::int64_t{2}}}};
  if (stride > 1) example.parameters["stride"] = stride;
  return example;
}

TEST_CASE("texture bandwidth: a load of 32 lanes reads a block, a turn every used texel once") {
  for (const std::uint32_t lanes : {32u, 64u}) {
    for (const std::uint32_t width : {1u, 4u, 8u, 32u}) {
      for (const std::uint32_t stride : {1u, 4u}) {
        CAPTURE(lanes);
        CAPTURE(width);
        CAPTURE(stride);
        const TexelBlocks blocks{.block_width = width, .stride = stride, .lanes = lanes};
        CHECK(blocks.loads() * lanes == 1024);
        std::set<std::uint32_t> all;
        for (std::uint32_t load = 0; load < blocks.loads(); ++load) {
          for (std::uint32_t half = 0; half < lanes; half += 32) {
            std::set<std::uint32_t> columns;
            std::set<std::uint32_t> rows;
            for (std::uint32_t lane = half; lane < half + 32; ++lane) {
              const std::uint32_t texel = blocks.texel(lane, load);
              all.insert(texel);
              columns.insert(texel % blocks.image_width());
              rows.insert(texel / blocks.image_width());
            }
            CHECK(columns.size() == width);
            CHECK(rows.size() == 32 / width);
            CHECK(*columns.rbegin() - *columns.begin() == (width - 1) * stride);
            CHECK(*rows.rbegin() - *rows.begin() == 32 / width - 1);
          }
        }
        CHECK(all.size() == 1024);
        CHECK(*all.rbegin() == 31 * blocks.image_width() + 31 * stride);
      }
    }
  }
  const TexelBlocks blocks{.block_width = 8, .stride = 2};
  CHECK(blocks.texel(0, 0) == 0);
  CHECK(blocks.texel(1, 0) == 2);
  CHECK(blocks.texel(8, 0) == 64);      // the next row
  CHECK(blocks.texel(0, 1) == 16);      // the next block
  CHECK(blocks.texel(0, 4) == 4 * 64);  // the next row of blocks
  CHECK(blocks.texel(31, 31) == 64 * 31 + 62);
}

TEST_CASE("texture bandwidth: sums are those of the loads that a lane makes") {
  const TexelBlocks blocks{.block_width = 4, .stride = 2, .lanes = 64, .channels = 2};
  const auto channel = [](std::uint64_t i) { return static_cast<std::uint32_t>(i * i * 2654435761u + 7 * i); };
  const SweepSum sums = blocks.sums(channel);
  for (const std::uint32_t lane : {0u, 5u, 33u, 63u}) {
    for (const std::uint32_t turns : {1u, 3u}) {
      // As in the kernel: four sums of vectors, their exclusive or, then x + 3 y.
      std::uint32_t x[4] = {};
      std::uint32_t y[4] = {};
      for (std::uint32_t turn = 0; turn < turns; ++turn) {
        for (std::uint32_t load = 0; load < 16; ++load) {
          const std::uint32_t block = lane / 32 * 16 + load;
          const std::uint32_t column = block % 8 * 4 + lane % 32 % 4;
          const std::uint32_t row = block / 8 * 8 + lane % 32 / 4;
          const std::uint64_t texel = row * 64 + column * 2;
          x[load % 4] += channel(2 * texel);
          y[load % 4] += channel(2 * texel + 1);
        }
      }
      CHECK(sums.value(lane, turns) == (x[0] ^ x[1] ^ x[2] ^ x[3]) + 3 * (y[0] ^ y[1] ^ y[2] ^ y[3]));
    }
  }
}

TEST_CASE("texture bandwidth: each format is planned with its bytes and every block, strides while 16 KiB suffice") {
  std::map<std::string, std::set<std::string>> blocks;
  std::map<std::string, std::set<std::int64_t>> strides;
  std::map<std::string, std::set<std::string>> filtered;
  for (const Point& each : planned({}, Preset::full)) {
    CAPTURE(to_string(each));
    CHECK_FALSE(experiment().unsupported(fake::gpu(), each));
    const std::string format = word(each.parameters, "format");
    const std::int64_t stride = integer_or(each.parameters, "stride", 1);
    CHECK(number(each, "footprint") == 1024 * stride * number(each, "width"));
    CHECK(number(each, "width") == std::map<std::string, std::int64_t>{{"r32-uint", 4},
                                                                       {"rg32-uint", 8},
                                                                       {"rgba32-uint", 16},
                                                                       {"rgba16-uint", 8},
                                                                       {"rgba16-float", 8},
                                                                       {"rgba8-uint", 4},
                                                                       {"rgba8-unorm", 4},
                                                                       {"r32-float", 4},
                                                                       {"rgba32-float", 16},
                                                                       {"r8-unorm", 1}}
                                       .at(format));
    if (word(each.parameters, "test") == "filter") {
      CHECK_FALSE(each.parameters.contains("block"));
      filtered[word(each.parameters, "filter")].insert(format);
    } else if (word(each.parameters, "test") == "block") {
      CHECK_FALSE(each.parameters.contains("stride"));
      blocks[format].insert(word(each.parameters, "block"));
    } else {
      CHECK(word(each.parameters, "block") == "4x8");
      strides[format].insert(number(each, "stride"));
    }
  }
  const std::set<std::string> fractions{"r8-unorm", "rgba8-unorm", "r32-float", "rgba16-float", "rgba32-float"};
  CHECK(filtered == std::map<std::string, std::set<std::string>>{{"nearest", fractions}, {"linear", fractions}});
  CHECK(blocks.size() == 10);
  for (const auto& [format, shapes] : blocks) CHECK(shapes == std::set<std::string>{"32x1", "8x4", "4x8", "1x32"});
  using Numbers = std::set<std::int64_t>;
  CHECK(strides == std::map<std::string, Numbers>{{"r32-uint", {1, 2, 4}},
                                                  {"rgba8-uint", {1, 2, 4}},
                                                  {"rgba8-unorm", {1, 2, 4}},
                                                  {"r32-float", {1, 2, 4}},
                                                  {"r8-unorm", {1, 2, 4}},
                                                  {"rg32-uint", {1, 2}},
                                                  {"rgba16-uint", {1, 2}},
                                                  {"rgba16-float", {1, 2}}});
  CHECK(planned({{"test", "stride"}, {"stride", "8"}, {"format", "rgba32-uint"}}, Preset::quick).size() == 2);
  const auto words = [&](const char* parameter, Preset preset, const char* test = "block,stride") {
    std::set<std::string> all;
    for (const Point& each : planned({{"test", test}}, preset)) all.insert(word(each.parameters, parameter));
    return all;
  };
  CHECK(words("format", Preset::quick) == std::set<std::string>{"r32-uint", "rgba32-uint", "rgba8-unorm"});
  CHECK(words("format", Preset::standard) == std::set<std::string>{"r32-uint", "rgba32-uint", "rgba16-float", "rgba8-unorm"});
  CHECK(words("format", Preset::quick, "filter") == std::set<std::string>{"rgba8-unorm", "rgba16-float"});
  CHECK(words("format", Preset::standard, "filter") == fractions);
  CHECK(words("block", Preset::standard) == std::set<std::string>{"32x1", "4x8", "1x32"});
}

TEST_CASE("texture bandwidth: a device without images, or with small ones, says so in one point per question") {
  DeviceInfo device = fake::gpu();
  const Point wide = point("r32-uint", 4, "8x4", 4);
  device.max_image_side = 128;
  CHECK_FALSE(experiment().unsupported(device, wide));
  device.max_image_side = 127;
  CHECK_WORDS("texture-bandwidth.long-row", experiment().unsupported(device, wide));
  device.max_image_side.reset();
  CHECK_WORDS("device.no-images", experiment().unsupported(device, wide));
  CHECK(planned({{"test", "block"}}, Preset::quick, device).size() == 3 * 3);
}

TEST_CASE("texture bandwidth: a sample is its texel, or the mean of the four around the texel's corner") {
  const TexelBlocks blocks{.block_width = 8, .lanes = 64, .channels = 4};
  const auto channel = [](std::uint64_t i) { return static_cast<double>(i * i % 101); };
  for (const std::uint32_t lane : {0u, 5u, 38u, 63u}) {
    double nearest = 0;
    double linear = 0;
    for (std::uint32_t load = 0; load < 16; ++load) {
      const std::uint32_t block = lane / 32 * 16 + load;
      const std::uint32_t column = block % 4 * 8 + lane % 32 % 8;
      const std::uint32_t row = block / 4 * 4 + lane % 32 / 8;
      for (std::uint32_t c = 0; c < 4; ++c) {
        const double factor = 1 + 2.0 * c;
        nearest += factor * channel((row * 32 + column) * 4 + c);
        for (const std::uint32_t y : {row, row == 31 ? row : row + 1}) {
          for (const std::uint32_t x : {column, column == 31 ? column : column + 1}) {
            linear += factor * channel((y * 32 + x) * 4 + c) / 4;
          }
        }
      }
    }
    CHECK(filtered_sum(blocks, lane, false, channel) == nearest);
    CHECK(filtered_sum(blocks, lane, true, channel) == doctest::Approx(linear));
  }
  CHECK(channel_factors(1) == 1);
  CHECK(channel_factors(4) == 16);
}

Point filtered(const std::string& format, std::int64_t width, const std::string& filter) {
  Point example = point(format, width, "4x8");
  example.parameters.erase("block");
  example.parameters["test"] = std::string("filter");
  example.parameters["filter"] = filter;
  return example;
}

TEST_CASE("texture bandwidth: whole numbers have no filter, and a sum of samples has an end that a float holds") {
  CHECK_WORDS("texture-bandwidth.no-filter", experiment().unsupported(fake::gpu(), filtered("r32-uint", 4, "linear")));
  sim::Model model = sim::examples::small();
  model.paths.push_back(model.paths.front());
  model.paths.back().path = MemoryPath::texture;
  const auto device = open_sim(model, "test");
  Trial trial = experiment().prepare(*device, filtered("r8-unorm", 1, "nearest"), 7);
  CHECK(trial.timed.max_loops == 1 << 19);
  // The sums of the other filter, and of one turn too many.
  Trial other = experiment().prepare(*device, filtered("r8-unorm", 1, "linear"), 7);
  other.timed.dispatch.parameters.at("loops") = 3;
  device->run(other.timed.dispatch);
  CHECK(other.timed.verify(*device, 3).status == Status::ok);
  CHECK(other.timed.verify(*device, 4).status == Status::invalid);
  trial.timed.dispatch.bindings = other.timed.dispatch.bindings;
  trial.timed.dispatch.parameters.at("loops") = 3;
  device->run(trial.timed.dispatch);
  CHECK_WORDS("texture-bandwidth.other-filter", other.timed.verify(*device, 3).reason);
}

TEST_CASE("texture bandwidth: a simulated path moves its bytes per cycle; texels are bytes by the size of one") {
  sim::Model model = sim::examples::small();
  model.paths.push_back(model.paths.front());
  model.paths.back().path = MemoryPath::texture;
  model.caches[0].size_bytes = 16 * kKiB;  // the largest image
  model.caches[0].ways = 16;
  model.caches[0].bytes_per_cycle = 64;
  for (const Point& example : {point("r32-uint", 4, "32x1"), point("rg32-uint", 8, "8x4"), point("rgba32-uint", 16, "1x32"),
                               point("rgba16-float", 8, "4x8"), point("rgba8-unorm", 4, "8x4", 2),
                               filtered("rgba32-float", 16, "linear"), filtered("r32-float", 4, "nearest")}) {
    CAPTURE(to_string(example));
    const PointResult result = examples::measured(example, model);
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const auto& statistics = result.measurement->statistics;
    CHECK(statistics.at("bytes_per_unit_cycle").median == doctest::Approx(64).epsilon(0.02));
    CHECK(statistics.at("ops_per_unit_cycle").median ==
          doctest::Approx(64.0 / static_cast<double>(number(example, "width"))).epsilon(0.02));
  }
}

}  // namespace
}  // namespace percycle::texture_bandwidth_test

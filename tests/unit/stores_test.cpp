#include "expected/stores.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/configuration.hpp"
#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/bandwidth/parts/stores.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"

namespace percycle::stores_test {
namespace {

constexpr std::uint32_t kSalt = 0x1234567;

/// The region after the stores of each lane, one after the other.
std::vector<std::uint32_t> stored(const StoreShape& shape, std::uint32_t group, std::uint64_t laps) {
  std::vector<std::uint32_t> words(shape.elements() * shape.channels);
  for (std::uint64_t turn = 0; turn < laps * shape.tiles; ++turn) {
    const std::uint64_t tile = turn % shape.tiles * shape.tile_lanes * shape.unroll;
    for (std::uint32_t place = 0; place < shape.tile_lanes; ++place) {
      const std::uint64_t first = place / shape.lanes * (shape.lanes * shape.unroll) + place % shape.lanes;
      for (std::uint32_t row = 0; row < shape.unroll; ++row) {
        for (std::uint32_t channel = 0; channel < shape.channels; ++channel)
          words[(tile + first + row * shape.lanes) * shape.channels + channel] =
              lowbias32((group * shape.tile_lanes + place) ^ kSalt) * (2 * channel + 1) +
              static_cast<std::uint32_t>(turn) * 0x9e3779b9u;
      }
    }
  }
  return words;
}

TEST_CASE("stores: the closed form is what single stores leave") {
  for (const StoreShape& shape : {StoreShape{.channels = 4, .lanes = 4, .unroll = 4, .tile_lanes = 12, .tiles = 3},
                                  StoreShape{.channels = 2, .lanes = 8, .unroll = 8, .tile_lanes = 8, .tiles = 1},
                                  StoreShape{.channels = 1, .lanes = 4, .unroll = 2, .tile_lanes = 8, .tiles = 5}}) {
    for (const std::uint64_t laps : {1u, 2u, 7u}) {
      const auto right = stored(shape, 3, laps);
      for (std::uint64_t i = 0; i < right.size(); ++i) {
        const auto channel = static_cast<std::uint32_t>(i % shape.channels);
        CHECK(shape.left(kSalt, 3, i / shape.channels, channel, laps) == right[i]);
      }
    }
  }
}

sim::Model with_rates() {
  sim::Model model = sim::examples::small();
  model.unit_clock = sim::UnitClock{};
  model.caches[0].size_bytes = 64 * kKiB;  // source and targets of all work-groups
  model.caches[0].bytes_per_cycle = 64;
  model.caches[1].bytes_per_cycle = 80;
  model.memory_bytes_per_cycle = 16;
  model.local.bytes_per_cycle = 128;
  return model;
}

/// The highest bytes per unit and cycle of the operation.
double best_rate(const std::vector<PointResult>& results, const char* operation) {
  double best = 0;
  for (const PointResult& result : results) {
    CAPTURE(to_string(result.point));
    REQUIRE(result.outcome.status == Status::ok);
    if (is_search(result.point) || !has_word(result.point.parameters, kOperation, operation)) continue;
    best = std::max(best, result.measurement->statistics.at(figures::kBytesPerUnitCycle).median);
  }
  return best;
}

TEST_CASE("stores: their rate is that of the first level that units share, in local memory that of the unit") {
  const std::map<std::string, std::string> all{{"operation", "write,copy"}, {"test", "peak"}};
  const auto first = sim::measured_plan(with_rates(), "l1-bandwidth", all);
  // 80 bytes of the L2 for 4 units. The loads of a copy come from the L1 meanwhile.
  CHECK(best_rate(first, "write") == doctest::Approx(20).epsilon(0.02));
  CHECK(best_rate(first, "copy") == doctest::Approx(40).epsilon(0.02));
  const auto local = sim::measured_plan(with_rates(), "local-bandwidth", all);
  CHECK(best_rate(local, "write") == doctest::Approx(128).epsilon(0.02));
  CHECK(best_rate(local, "copy") == doctest::Approx(128).epsilon(0.02));
  const auto shared = sim::measured_plan(with_rates(), "cache-bandwidth",
                                         {{"operation", "write,copy"}, {"test", "footprint"}, {"max_footprint", "128K"}});
  CHECK(best_rate(shared, "write") == doctest::Approx(20).epsilon(0.02));
}

std::vector<Point> planned(const char* name, std::map<std::string, std::string> set, Preset preset) {
  const Experiment* const one = find_experiment(name);
  DeviceInfo device = fake::gpu();
  device.buffer_addresses = true;
  return one->plan(device, make_options({&one, 1}, set, preset, 1).front(), {});
}

TEST_CASE("stores: quick reads only, and points that read do not name their operation") {
  for (const char* name : {"l1-bandwidth", "local-bandwidth", "cache-bandwidth"}) {
    CAPTURE(name);
    for (const Point& point : planned(name, {}, Preset::quick)) CHECK_FALSE(is_store(point));
    for (const Point& point : planned(name, {{"operation", "read"}}, Preset::standard)) CHECK_FALSE(is_store(point));
    std::size_t stores = 0;
    for (const Point& point : planned(name, {{"operation", "write"}}, Preset::standard)) {
      CHECK(has_word(point.parameters, kOperation, kWriteOperation));
      // Rules of points that read do not apply.
      for (const char* reading : {"path", "form", "mode", "test"}) CHECK_FALSE(point.parameters.contains(reading));
      ++stores;
    }
    CHECK(stores > 0);
  }
}

TEST_CASE("stores: a wrong word of the target and of a lane shows, and so does a store that was skipped") {
  for (const bool local : {false, true}) {
    for (const bool copies : {false, true}) {
      CAPTURE(local);
      CAPTURE(copies);
      const auto device = open_sim(with_rates(), "test");
      const Stores stores{.copies = copies, .local = local, .region_bytes = 512, .tile_lanes = 4, .unroll = 8, .groups = 2};
      Trial trial = stores_trial(*device, stores, 7);
      for (const auto& dispatch : trial.setup) device->run(dispatch);
      auto& dispatch = trial.timed.dispatch;
      dispatch.parameters.insert_or_assign("laps", 2u);
      const auto verdict_with_flipped_bit = [&](std::size_t binding) {
        device->run(dispatch);
        Buffer& buffer = *dispatch.bindings[binding].buffer;
        const auto word = read_values<std::uint32_t>(*device, buffer, 1).front();
        write_values(*device, buffer, std::vector<std::uint32_t>{word ^ 1u});
        return trial.timed.verify(*device, 2).status;
      };
      CHECK(verdict_with_flipped_bit(1) == Status::invalid);
      CHECK(verdict_with_flipped_bit(2) == Status::invalid);
      device->run(dispatch);
      CHECK(trial.timed.verify(*device, 2).status == Status::ok);
      CHECK(trial.timed.verify(*device, 2).status == Status::invalid);  // no run since
    }
  }
}

TEST_CASE("stores: options that leave no store are refused") {
  CHECK_THROWS_WORDS("stores.l1-options", UsageError,
                     planned("l1-bandwidth", {{"operation", "write"}, {"path", "texture"}}, Preset::standard));
  CHECK_THROWS_WORDS("stores.local-options", UsageError,
                     planned("local-bandwidth", {{"operation", "copy"}, {"form", "chase"}}, Preset::standard));
  CHECK_THROWS_WORDS("stores.cache-options", UsageError,
                     planned("cache-bandwidth", {{"operation", "copy"}, {"mode", "shared"}}, Preset::standard));
}

TEST_CASE("stores: what a device cannot run says so") {
  DeviceInfo device = fake::gpu();
  device.buffer_addresses = true;
  const Stores fits{.region_bytes = 4096, .tile_lanes = 32, .unroll = 8, .groups = 4};
  CHECK_FALSE(stores_unsupported(device, fits));
  Stores other = fits;
  other.groups = 1u << 15u;
  CHECK_WORDS("stores.many-bytes", stores_unsupported(device, other));
  other = fits;
  other.region_bytes = 4096 + 512;
  CHECK_WORDS("stores.uneven-region", stores_unsupported(device, other));
  other = fits;
  other.local = other.copies = true;
  other.region_bytes = 65536;
  CHECK_WORDS("stores.local-region", stores_unsupported(device, other));
  device.buffer_addresses = false;
  CHECK_WORDS("device.no-buffer-addresses", stores_unsupported(device, fits));
}

}  // namespace
}  // namespace percycle::stores_test

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/cache_bandwidth.hpp"
#include "experiments/bandwidth/parts/dram_bandwidth.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"

namespace percycle::memory_bandwidth_plan_test {
namespace {

using Set = std::map<std::string, std::string>;

std::vector<Point> planned(const char* experiment, const DeviceInfo& device, const Set& set, Preset preset) {
  const std::vector<const Experiment*> one{find_experiment(experiment)};
  return one.front()->plan(device, make_options(one, set, preset, 1).front(), {});
}

std::set<std::int64_t> values(const std::vector<Point>& points, const char* parameter) {
  std::set<std::int64_t> all;
  for (const auto& point : points) all.insert(integer(point.parameters, parameter));
  return all;
}

TEST_CASE("cache-bandwidth plan: from 4 KiB to the largest footprint, every group of a region in separate rows") {
  DeviceInfo device = fake::gpu();
  device.units = Sourced<std::uint32_t>{132, Provenance::reported};
  const auto check_plans = [&](Preset preset, std::uint64_t largest) {
    for (const char* mode : {"shared", "private"}) {
      CAPTURE(mode);
      const auto points = planned("cache-bandwidth", device, {{"test", "footprint"}, {"mode", mode}}, preset);
      for (const auto& point : points) {
        CAPTURE(to_string(point));
        CHECK_FALSE(find_experiment("cache-bandwidth")->unsupported(device, point));
        CHECK(integer(point.parameters, "groups") == 132);
      }
      const auto footprints = values(points, "footprint");
      const bool all = std::string(mode) == "shared";
      CHECK(*footprints.begin() == (all ? 4096 : 132 * 16384));
      CHECK(*footprints.rbegin() <= static_cast<std::int64_t>(largest));
      CHECK(*footprints.rbegin() > static_cast<std::int64_t>(largest * 95 / 100));
    }
  };
  device.memory_bytes = 8 * kGiB - 1;
  check_plans(Preset::quick, 256 * kMiB);
  check_plans(Preset::standard, 512 * kMiB);
  check_plans(Preset::full, 512 * kMiB);
  device.memory_bytes = 8 * kGiB;
  check_plans(Preset::quick, 256 * kMiB);
  check_plans(Preset::standard, kGiB);
  check_plans(Preset::full, kGiB);
}

TEST_CASE("cache-bandwidth plan: slices have points between a power of two and the next") {
  DeviceInfo device = fake::gpu();
  device.units = Sourced<std::uint32_t>{132, Provenance::reported};
  const auto points = planned("cache-bandwidth", device, {{"test", "footprint"}, {"mode", "private"}}, Preset::standard);
  const auto footprints = values(points, "footprint");
  for (const std::int64_t slice : {256, 320, 512, 704}) CHECK(footprints.contains(132 * slice * 1024));
}

TEST_CASE("cache-bandwidth plan: work-groups from one to twice the units, each with a slice, at the footprints asked for") {
  const auto points = planned("cache-bandwidth", fake::gpu(), {{"test", "units"}, {"units_footprint", "1M"}}, Preset::quick);
  CHECK(values(points, "groups") == std::set<std::int64_t>{1, 2, 4, 8});
  CHECK(values(points, "footprint") == std::set<std::int64_t>{1 << 20});
  const auto both = planned("cache-bandwidth", fake::gpu(), {{"test", "units"}}, Preset::quick);
  CHECK(values(both, "footprint") == std::set<std::int64_t>{4 << 20, 256 << 20});
  CHECK_THROWS_WORDS("cache-bandwidth.max-footprint", UsageError,
                     planned("cache-bandwidth", fake::gpu(), {{"max_footprint", "2K"}}, Preset::quick));
  CHECK_THROWS_WORDS("cache-bandwidth.slices-too-large", UsageError,
                     planned("cache-bandwidth", fake::gpu(), {{"mode", "private"}, {"max_footprint", "63K"}}, Preset::quick));
  CHECK_THROWS_WORDS("cache-bandwidth.small-slices", UsageError,
                     planned("cache-bandwidth", fake::gpu(), {{"test", "units"}, {"units_footprint", "31K"}}, Preset::quick));
  CHECK(planned("cache-bandwidth", fake::gpu(), {{"test", "units"}, {"units_footprint", "32K"}}, Preset::quick).size() == 4);
}

TEST_CASE("cache-bandwidth: a point that a device or a lap cannot run has a reason") {
  const auto reason = [](const DeviceInfo& device, const CacheLaps& work) {
    return cache_laps_unsupported(device, work).value_or("supported");
  };
  const CacheLaps plain{.footprint = 64 * kKiB};
  DeviceInfo device = fake::gpu(Api::vulkan);
  CHECK(reason(device, plain) == "supported");
  device.int64 = false;
  CHECK(reason(device, plain) == "supported");
  const CacheLaps large{.footprint = 8 * kGiB};
  CHECK_WORDS("device.no-int64-offsets", reason(device, large));
  device.buffer_addresses = false;
  CHECK_WORDS("device.no-buffer-addresses", reason(device, plain));
  device = fake::gpu();
  CHECK_WORDS("device.group-size-1024", reason(device, {.footprint = 64 * kKiB, .group_size = 2048}));
  CHECK_WORDS("device.groups-65535", reason(device, {.footprint = 64 * kKiB, .groups = 65536}));
  CHECK_WORDS("device.buffer-4-gib", reason(device, {.footprint = 16 * kGiB}));
  CHECK_WORDS("cache-bandwidth.no-whole-tiles", reason(device, {.footprint = 40 * kKiB}));
  CHECK_WORDS("cache-bandwidth.slice-of-no-whole-tiles", reason(device, {.slices = true, .footprint = 100 * kKiB, .groups = 3}));
  CHECK(reason(device, {.footprint = 16 * kKiB, .group_size = 1024}) == "supported");
  CHECK_WORDS("cache-bandwidth.less-than-a-load", reason(device, {.footprint = 32 * kKiB, .group_size = 1024}));
  device.max_loop_iterations = 5;
  CHECK_WORDS("cache-bandwidth.long-lap", reason(device, plain));
  device.max_loop_iterations = 6;
  CHECK(reason(device, plain) == "supported");
}

TEST_CASE("dram-bandwidth plan: operations and widths, no group below 4 KiB, as much as buffers and dispatches hold") {
  DeviceInfo device = fake::gpu();
  device.memory_bytes = 64 * kGiB;
  device.max_allocation_bytes = 16 * kGiB;
  device.max_groups = UINT32_MAX;
  const auto points = planned("dram-bandwidth", device, {}, Preset::standard);
  for (const auto& point : points) {
    CAPTURE(to_string(point));
    CHECK_FALSE(find_experiment("dram-bandwidth")->unsupported(device, point));
    const auto number = [&](const char* name) { return integer(point.parameters, name); };
    CHECK(number("width") * number("group_size") * number("unroll") >= 4096);
    CHECK(number("width") * number("group_size") * number("unroll") <= 16384);
    const auto& op = word(point.parameters, "op");
    CHECK(number("footprint") == static_cast<std::int64_t>(op == "triad" ? 6 * kGiB : 4 * kGiB));
  }
  CHECK(values(points, "width") == std::set<std::int64_t>{4, 8, 16});
  const auto narrow = planned("dram-bandwidth", device, {{"op", "read"}, {"width", "4"}}, Preset::standard);
  CHECK(values(narrow, "unroll") == std::set<std::int64_t>{4, 8});
  CHECK(values(planned("dram-bandwidth", device, {}, Preset::quick), "width") == std::set<std::int64_t>{16});
  CHECK(values(planned("dram-bandwidth", device, {{"width", "8"}}, Preset::quick), "width") == std::set<std::int64_t>{8});

  device.max_groups = 65535;  // of 16 KiB
  CHECK(values(planned("dram-bandwidth", device, {{"op", "read"}, {"width", "16"}}, Preset::quick), "footprint") ==
        std::set<std::int64_t>{1023 << 20});
  device.memory_bytes = kGiB;
  CHECK(values(planned("dram-bandwidth", device, {{"op", "copy"}}, Preset::quick), "footprint") ==
        std::set<std::int64_t>{512 << 20});
  device.type = DeviceType::cpu;
  CHECK(values(planned("dram-bandwidth", device, {{"op", "read"}}, Preset::standard), "footprint") ==
        std::set<std::int64_t>{64 << 20});
}

TEST_CASE("dram-bandwidth plan: a device with smaller work-groups takes its largest ones") {
  for (const std::uint32_t most : {128u, 64u, 255u}) {
    DeviceInfo device = fake::gpu();
    device.max_group_size = most;
    for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) {
      const auto points = planned("dram-bandwidth", device, {{"op", "copy"}}, preset);
      CHECK(values(points, "group_size") == std::set<std::int64_t>{most == 64 ? 64 : 128});
      for (const auto& point : points) CHECK_FALSE(find_experiment("dram-bandwidth")->unsupported(device, point));
    }
  }
}

TEST_CASE("dram-bandwidth plan: a footprint that is asked for is taken as it is, or refused") {
  const auto refusal = [](const char* footprint, const char* op) -> std::string {
    try {
      planned("dram-bandwidth", fake::gpu(), {{"footprint", footprint}, {"op", op}}, Preset::quick);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const char* footprint : {"1", "1000K", "1537K"}) {
    CHECK_WORDS("dram-bandwidth.read-multiple", masked(refusal(footprint, "read"), std::string("=") + footprint));
  }
  CHECK(refusal("3M", "read") == "accepted");
  CHECK_WORDS("dram-bandwidth.copy-multiple", refusal("3M", "copy"));
  const auto points = planned("dram-bandwidth", fake::gpu(), {{"footprint", "64G"}, {"op", "copy"}}, Preset::quick);
  REQUIRE(points.size() == 1);  // the device has 16 GiB
  CHECK(integer(points[0].parameters, "footprint") == std::int64_t{64} << 30);
  CHECK_WORDS("device.buffer-4-gib", find_experiment("dram-bandwidth")->unsupported(fake::gpu(), points[0]));
}

TEST_CASE("dram-bandwidth: an unsupported point has a reason") {
  const auto reason = [](const DeviceInfo& device, const MemoryPasses& work) {
    return memory_passes_unsupported(device, work).value_or("supported");
  };
  DeviceInfo device = fake::gpu(Api::vulkan);
  const MemoryPasses plain{.array_bytes = kMiB};
  CHECK(reason(device, plain) == "supported");
  CHECK_WORDS("device.groups-65535", reason(device, {.array_bytes = 2 * kGiB}));
  CHECK_WORDS("dram-bandwidth.no-whole-chunks", reason(device, {.array_bytes = 20 * kKiB}));
  CHECK_WORDS("device.group-size-1024", reason(device, {.array_bytes = kMiB, .group_size = 2048}));
  device.int64 = false;
  CHECK(reason(device, plain) == "supported");
  CHECK_WORDS("device.no-int64-offsets", reason(device, {.array_bytes = 8 * kGiB}));
  device.memory_bytes = kMiB;
  CHECK_WORDS("device.buffer-256-kib", reason(device, plain));
  device.buffer_addresses = false;
  CHECK_WORDS("device.no-buffer-addresses", reason(device, plain));
}

TEST_CASE("transfer-bandwidth plan: each way and both, every kind of memory, by size; small copies") {
  const auto points = planned("transfer-bandwidth", fake::gpu(), {}, Preset::quick);
  CHECK(points.size() == 5 * 5 + 2 + 4);  // copies by size, mapped memory, small copies
  const std::map<std::string, std::string> copies{{"test", "bandwidth"}, {"memory", "pinned,pageable"}};
  CHECK(*values(planned("transfer-bandwidth", fake::gpu(), copies, Preset::quick), "footprint").rbegin() == 16 << 20);
  CHECK(*values(planned("transfer-bandwidth", fake::gpu(), copies, Preset::standard), "footprint").rbegin() == 64 << 20);
  CHECK(*values(planned("transfer-bandwidth", fake::gpu(), {{"test", "latency"}}, Preset::full), "footprint").rbegin() ==
        16 << 10);
  CHECK(planned("transfer-bandwidth", fake::gpu(), {{"memory", "mapped"}, {"test", "bandwidth"}}, Preset::full).size() == 2);
  CHECK_THROWS_WORDS("transfer-bandwidth.both-directions", UsageError,
                     planned("transfer-bandwidth", fake::gpu(), {{"direction", "both"}, {"memory", "mapped"}}, Preset::quick));
  CHECK_THROWS_WORDS("transfer-bandwidth.mapped-latency", UsageError,
                     planned("transfer-bandwidth", fake::gpu(), {{"test", "latency"}, {"memory", "mapped"}}, Preset::quick));
  CHECK_THROWS_WORDS("transfer-bandwidth.max-footprint", UsageError,
                     planned("transfer-bandwidth", fake::gpu(), {{"max_footprint", "2K"}}, Preset::quick));
  DeviceInfo simulated = fake::gpu();
  simulated.model = "t4";
  CHECK_WORDS("transfer-bandwidth.simulated", find_experiment("transfer-bandwidth")->unsupported(simulated, points.front()));
  DeviceInfo small = fake::gpu();
  small.memory_bytes = 128 * kKiB;
  CHECK_WORDS("device.buffer-32-kib", find_experiment("transfer-bandwidth")->unsupported(small, points.front()));
  const auto largest_32_mib =
      planned("transfer-bandwidth", fake::gpu(), {{"max_footprint", "32M"}, {"memory", "pinned"}}, Preset::quick);
  CHECK(*values(largest_32_mib, "footprint").rbegin() == 32 << 20);
  const auto mapped = planned("transfer-bandwidth", fake::gpu(), {{"memory", "mapped"}, {"test", "bandwidth"}}, Preset::full);
  DeviceInfo opencl = fake::gpu();
  opencl.api = Api::opencl;
  CHECK_WORDS("transfer-bandwidth.unknown-place", find_experiment("transfer-bandwidth")->unsupported(opencl, mapped.front()));
  opencl.type = DeviceType::cpu;
  CHECK(find_experiment("transfer-bandwidth")->unsupported(opencl, mapped.front()) == std::nullopt);
}

TEST_CASE("transfer-bandwidth plan: copies to each peer, by size; without a peer, the reason") {
  const Experiment& experiment = *find_experiment("transfer-bandwidth");
  DeviceInfo device = fake::gpu();
  device.peers = {{.index = 2, .name = "Fake GPU"}, {.index = 3, .name = "Another GPU"}};
  CHECK(planned("transfer-bandwidth", device, {}, Preset::quick) ==
        planned("transfer-bandwidth", fake::gpu(), {}, Preset::quick));  // only on request
  const auto points = planned("transfer-bandwidth", device, {{"direction", "to-peer"}}, Preset::quick);
  CHECK(points.size() == 2 * (5 + 1));  // copies by size, a small copy
  CHECK(points.front() ==
        Point{"transfer-bandwidth", {{"direction", "to-peer"}, {"peer", "opencl:2"}, {"footprint", std::int64_t{65536}}}});
  CHECK(word(points.back().parameters, "peer") == "opencl:3");
  CHECK(experiment.unsupported(device, points.front()) == std::nullopt);
  device.memory_bytes = 128 * kKiB;
  CHECK_WORDS("device.buffer-32-kib", experiment.unsupported(device, points.front()));

  const auto none = planned("transfer-bandwidth", fake::gpu(), {{"direction", "to-peer"}}, Preset::full);
  REQUIRE(none.size() == 1);
  CHECK_WORDS("peer.no-second-device", experiment.unsupported(fake::gpu(), none.front()));
  DeviceInfo vulkan = fake::gpu(Api::vulkan);
  CHECK_WORDS("peer.no-device-group", experiment.unsupported(vulkan, none.front()));
  vulkan.peers = {{.index = 1, .name = "Fake GPU"}};
  CHECK_WORDS(
      "peer.vulkan-groups",
      experiment.unsupported(vulkan, planned("transfer-bandwidth", vulkan, {{"direction", "to-peer"}}, Preset::quick).front()));
}

}  // namespace
}  // namespace percycle::memory_bandwidth_plan_test

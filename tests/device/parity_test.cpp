// The same inputs give the same outputs: every kernel variant on every device of both APIs, and on
// the host by the kernels' emulation.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "described_device.hpp"
#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/geometry.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/caching_device.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"
#include "vocabulary/chases.hpp"

namespace percycle::parity_test {
namespace {

/// A device that hides its buffer addresses, so that kernels bind all memory as storage.
class WithoutAddresses final : public DescribedDevice {
 public:
  explicit WithoutAddresses(Device& device) : DescribedDevice(device, without_addresses(device.info())) {}

  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }

 private:
  static DeviceInfo without_addresses(DeviceInfo info) {
    info.buffer_addresses = false;
    return info;
  }
};

template <typename Word>
std::vector<Word> contents(Device& device, const Buffer& buffer) {
  std::vector<Word> words(buffer.bytes() / sizeof(Word));
  device.read(buffer, 0, std::as_writable_bytes(std::span(words)));
  return words;
}

Point latency_point(const std::string& path, const std::string& form, const std::string& lanes, const std::string& order,
                    std::int64_t footprint, std::int64_t stride) {
  return {"latency",
          {{"path", path}, {"form", form}, {"lanes", lanes}, {"order", order}, {"footprint", footprint}, {"stride", stride}}};
}

/// Every path in each of its forms, with one lane and with a subgroup, in both orders; sizes that
/// are no powers of two.
std::vector<Point> latency_points() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> forms{
      {"global", {"pointer", "offset32"}},    {"global-index", {"index", "byte-offset"}},
      {"scalar", {"index", "byte-offset"}},   {"texture", {"index"}},
      {"constant", {"index", "byte-offset"}}, {"local", {"index", "byte-offset"}}};
  std::vector<Point> points;
  for (const auto& [path, of_path] : forms) {
    for (const auto& form : of_path) {
      for (const char* lanes : {"1", "subgroup"}) {
        for (const char* order : {"random", "sequential"}) points.push_back(latency_point(path, form, lanes, order, 6464, 64));
      }
    }
  }
  // More nodes than the invocations that copy them in.
  points.push_back(latency_point("local", "index", "1", "random", 6400, 16));
  // The smallest chain.
  points.push_back(latency_point("global", "pointer", "1", "random", 128, 64));
  // One that is touched before.
  points.push_back(latency_point("global", "pointer", "1", "random", 1 << 20, 128));
  points.push_back(latency_point("texture", "index", "1", "random", 1 << 20, 128));
  points.push_back(latency_point("global-index", "index", "1", "random", 1 << 20, 128));
  // Beside local memory that is declared and not walked.
  for (const auto& [path, form] : {std::pair{"global", "pointer"}, {"global-index", "index"}, {"texture", "index"}}) {
    points.push_back(latency_point(path, form, "1", "random", 6464, 64));
    points.back().parameters[parameter::kLocalBytes] = std::int64_t{4096};
  }
  return points;
}

const Experiment& latency() { return *find_experiment("latency"); }

/// The results of a trial's kernels, run after run: the end offsets of each lane, then the control
/// kernel's values.
std::vector<std::vector<std::uint64_t>> outputs(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 20261121);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  std::vector<std::vector<std::uint64_t>> all;
  const auto run = [&](LoopedDispatch& looped, const ClockReadings& where) {
    for (const std::uint32_t loops : {0u, 1u, 7u, 0u, 100u}) {
      looped.dispatch.parameters.at(looped.loops_parameter) = loops;
      device.run(looped.dispatch);
      const Outcome outcome = looped.verify(device, loops);
      CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
      auto words = contents<std::uint64_t>(device, *where.buffer);
      words.erase(words.begin(), words.begin() + 4);  // clocks
      all.push_back(std::move(words));
    }
  };
  run(trial.timed, trial.clocks.value());
  run(trial.control.value(), trial.control_clocks.value());
  return all;
}

TEST_CASE("parity: every path, form and order of latency ends where the host's walk ends, on both APIs alike") {
  std::map<std::string, std::vector<std::uint64_t>> first_lanes;  // from the first device
  on_every_device([&](Device& device) {
    std::size_t compared = 0;
    for (const auto& point : latency_points()) {
      const std::string name = to_string(point);
      CAPTURE(name);
      if (const auto reason = latency().unsupported(device.info(), point)) continue;
      auto host = host_like(device.info());
      const auto expected = outputs(host, point);
      const auto found = outputs(device, point);
      CHECK(found == expected);
      if (integer(point.parameters, "footprint") > 128)
        CHECK(expected[0] != expected[1]);  // with two nodes, two turns end at their start
      std::vector<std::uint64_t> lanes;
      for (const auto& each : found) {
        REQUIRE_FALSE(each.empty());
        CHECK(std::all_of(each.begin(), each.end(), [&](std::uint64_t value) { return value == each.front(); }));
        lanes.push_back(each.front());
      }
      CHECK(first_lanes.try_emplace(name, lanes).first->second == lanes);
      ++compared;
    }
    CHECK(compared > 10);  // all that an API can express
  });
}

TEST_CASE("parity: latency's unsupported forms are those the API cannot express, no others") {
  on_every_device([&](Device& device) {
    const auto& info = device.info();
    for (const auto& point : latency_points()) {
      CAPTURE(to_string(point));
      const auto& form = word(point.parameters, "form");
      const bool inexpressible =
          (info.api == Api::vulkan && form == "byte-offset") ||
          (word(point.parameters, "path") == "global" && !info.buffer_addresses) ||
          (form == "pointer" && info.address_bits != 64) || (info.api == Api::vulkan && form == "offset32" && !info.int64) ||
          (word(point.parameters, "lanes") == "subgroup" && info.subgroup_sizes.empty()) ||
          (word(point.parameters, "path") == "texture" &&
           static_cast<std::uint64_t>(integer(point.parameters, "footprint")) > info.max_texel_elements * 4);
      CHECK(latency().unsupported(info, point).has_value() == inexpressible);
    }
  });
}

/// The way in which a chain is built and read in one case.
struct ChainCase {
  std::uint64_t nodes;
  ChainOrder order;
  std::uint64_t group;
  ChainLayout layout;

  ChainImage image() const { return {Chain(nodes, order, 99, group), layout}; }
};

std::vector<ChainCase> chain_cases() {
  std::vector<ChainCase> cases;
  for (const ChainOrder order : {ChainOrder::random, ChainOrder::sequential}) {
    for (const std::uint64_t nodes : {2, 3, 64, 1000, 4097}) {
      cases.push_back({nodes, order, 1, {.stride_bytes = 64, .pointers = false, .link_unit = 4, .lanes = 4}});
      cases.push_back({nodes, order, 1, {.stride_bytes = 24, .pointers = true, .link_unit = 4, .lanes = 3}});
    }
  }
  // Groups, rows, and rows that interleave.
  for (const bool pointers : {false, true}) {
    for (const std::uint64_t group : {1, 2, 16}) {
      cases.push_back(
          {480, ChainOrder::random, group, {.stride_bytes = 64, .columns = 48, .row_stride_bytes = 4096, .pointers = pointers}});
      cases.push_back(
          {480, ChainOrder::random, group, {.stride_bytes = 8192, .columns = 5, .row_stride_bytes = 64, .pointers = pointers}});
    }
  }
  cases.push_back({256, ChainOrder::random, 4, {.stride_bytes = 32, .pointers = false, .link_unit = 1}});
  cases.push_back({256, ChainOrder::random, 4, {.stride_bytes = 32, .pointers = false, .link_unit = 16}});
  // More than one dispatch, the second of them short.
  cases.push_back({(1 << 19) + 7, ChainOrder::random, 1, {.stride_bytes = 4, .pointers = false, .link_unit = 4, .lanes = 1}});
  return cases;
}

/// Memory and state after building, with addresses as offsets.
struct Built {
  std::vector<std::uint64_t> links;  ///< of each node
  std::vector<std::uint32_t> filler;
  std::vector<std::uint64_t> state;
  std::vector<std::uint32_t> sums;  ///< after touching; 32-bit links only
};

Built build(Device& device, const ChainCase& how) {
  const ChainImage image = how.image();
  const auto& layout = how.layout;
  const auto memory = device.create(BufferDesc{layout.span(how.nodes)});
  const auto state = device.create(BufferDesc{layout.lanes * sizeof(std::uint64_t)});
  for (const auto& dispatch : build_chain(device, memory, state, image)) device.run(dispatch);

  Built built;
  built.state = contents<std::uint64_t>(device, *state);
  const std::uint64_t base = layout.pointers ? built.state[0] - image.link_to(0, 0) : 0;
  for (auto& start : built.state) start -= base;
  const auto words = contents<std::uint32_t>(device, *memory);
  const std::uint64_t apart = layout.columns == 0 ? layout.stride_bytes : std::min(layout.stride_bytes, layout.row_stride_bytes);
  for (std::size_t node = 0; node < how.nodes; ++node) {
    const auto* at = &words[layout.offset(node) / 4];
    std::uint64_t link = at[0];
    if (layout.pointers) link = (link | std::uint64_t{at[1]} << 32) - base;
    built.links.push_back(link);
    built.filler.insert(built.filler.end(), at + (layout.pointers ? 2 : 1), at + std::min<std::uint64_t>(apart, 256) / 4);
  }
  if (!layout.pointers) {
    const Binding plain{memory, nullptr};
    std::vector<std::pair<BindingKind, Binding>> ways{{BindingKind::storage, plain}};
    if (device.info().buffer_addresses) ways.emplace_back(BindingKind::address, plain);
    if (words.size() <= device.info().max_texel_elements) {
      ways.emplace_back(BindingKind::texel, Binding{nullptr, device.create(ImageDesc{memory, TexelFormat::r32_uint})});
    }
    for (const auto& [kind, binding] : ways) {
      std::vector<std::uint32_t> sums;
      for (const auto& dispatch : touch_chain(device, binding, kind, image)) {
        device.run(dispatch);
        const auto piece = contents<std::uint32_t>(device, *dispatch.bindings.back().buffer);
        sums.insert(sums.end(), piece.begin(), piece.end());
      }
      if (kind == BindingKind::storage) built.sums = sums;
      CHECK(sums == built.sums);  // independent of the access to memory
    }
  }
  return built;
}

TEST_CASE("parity: chains are built and touched alike on the host and on both APIs") {
  std::map<std::size_t, Built> first;  // from the first device
  on_every_device([&](Device& device) {
    WithoutAddresses hiding(device);
    for (Device* each : {&device, static_cast<Device*>(&hiding)}) {
      const auto cases = chain_cases();
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& layout = cases[i].layout;
        if (layout.pointers && (!each->info().buffer_addresses || each->info().address_bits != 64)) continue;
        CAPTURE(cases[i].nodes);
        CAPTURE(cases[i].group);
        CAPTURE(layout.columns);
        CAPTURE(layout.pointers);
        CAPTURE(each->info().buffer_addresses);
        auto host = host_like(each->info());
        const Built expected = build(host, cases[i]);
        const Built found = build(*each, cases[i]);
        CHECK(found.links == expected.links);
        CHECK(found.state == expected.state);
        CHECK(found.sums == expected.sums);
        const ChainImage image = cases[i].image();
        bool right = true;
        for (std::uint32_t node = 0; node < cases[i].nodes; ++node) {
          right = right && found.links[node] == image.link_to(std::uint64_t{image.chain.position(node)} + 1, 0);
        }
        CHECK(right);
        CHECK(found.state == std::vector<std::uint64_t>(layout.lanes, image.link_to(0, 0)));
        // The host skips the filler, so devices are compared with each other.
        CHECK(first.try_emplace(i, found).first->second.filler == found.filler);
        if (!found.filler.empty()) {
          auto filler = found.filler;
          std::sort(filler.begin(), filler.end());
          const auto distinct = static_cast<std::size_t>(std::unique(filler.begin(), filler.end()) - filler.begin());
          CHECK(distinct == found.filler.size());  // incompressible
        }
      }
    }
  });
}

/// Points of geometry and tlb that use kernel pair `latency`: nodes in groups, in rows, in
/// interleaved rows, on each of their paths.
std::vector<Point> laid_out_points() {
  std::vector<Point> points;
  for (const auto& [path, form] : {std::pair{"global", "pointer"}, {"texture", "index"}, {"constant", "index"}}) {
    const auto add = [&, path = path, form = form](const char* experiment, Parameters more) {
      more["path"] = path;
      more["form"] = form;
      points.push_back({experiment, std::move(more)});
    };
    using Number = std::int64_t;
    const bool constant = std::string(path) == "constant";
    add("geometry", {{"test", "fetch"}, {"nodes", Number{320}}, {"stride", Number{32}}, {"group", Number{16}}});
    add("geometry", {{"test", "line"}, {"nodes", Number{96}}, {"stride", Number{192}}, {"group", Number{8}}});
    // Blocks of four lines, more than a block apart.
    add("geometry", {{"test", "ways"},
                     {"nodes", Number{44}},
                     {"stride", Number{64}},
                     {"columns", Number{4}},
                     {"row_stride", Number{constant ? 1024 : 8192}},
                     {"group", Number{4}}});
    if (constant) continue;  // experiment tlb has none
    add("tlb", {{"test", "span"}, {"nodes", Number{512}}, {"stride", Number{4736}}});
    // A line of each page, page after page, then the next line of each.
    add("tlb", {{"test", "page"}, {"nodes", Number{112}}, {"stride", Number{67584}}, {"columns", Number{7}}});
  }
  return points;
}

TEST_CASE("parity: the chases of geometry and tlb end where the host's walks end, on both APIs alike") {
  // From the first device.
  std::map<std::string, std::vector<std::vector<std::uint64_t>>> first;
  on_every_device([&](Device& device) {
    for (const auto& point : laid_out_points()) {
      const std::string name = to_string(point);
      CAPTURE(name);
      const auto reason = find_experiment(point.experiment)->unsupported(device.info(), point);
      if (word(point.parameters, "path") == "texture" && device.info().max_texel_elements < (1 << 20))
        continue;  // SwiftShader has 65536
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      const auto found = outputs(device, point);
      CHECK(found == outputs(host, point));
      CHECK(found[0] != found[1]);
      CHECK(first.try_emplace(name, found).first->second == found);
    }
  });
}

/// Points of geometry with individually timed loads (kernel pair `geometry`): new memory each time,
/// and sets walked twice.
std::vector<Point> fine_points() {
  std::vector<Point> points;
  for (const auto& [path, form, granule] :
       {std::tuple{"global", "pointer", 8}, {"texture", "index", 4}, {"constant", "index", 16}}) {
    const auto add = [&, path = path, form = form](const char* test, std::int64_t nodes, std::int64_t stride, Parameters more) {
      more.insert({{"path", path}, {"form", form}, {"test", test}, {"nodes", nodes}, {"stride", stride}});
      points.push_back({"geometry", std::move(more)});
    };
    using Number = std::int64_t;
    if (std::string(path) == "global") add("first-touch", kFineSteps, granule, {{"evict", Number{65536}}});
    if (std::string(path) == "texture") add("first-touch", kFineSteps, granule, {{"evict", Number{0}}});
    add("second-pass", 9, 1024, {{"group", Number{1}}});
    add("second-pass", 36, 64, {{"columns", Number{4}}, {"row_stride", Number{1024}}, {"group", Number{4}}});
    add("second-pass", 101, 64, {{"group", Number{1}}});  // five times: an odd number of loads
  }
  return points;
}

// Position in the out buffer: after four clocks and the end, 64 bits each.
constexpr std::size_t kFineTicks = 10;

/// The end offset after each of some runs. Checks that each run noted one time per load and nothing
/// after them.
std::vector<std::uint64_t> fine_ends(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 20261121);
  const SeriesReading series = trial.series.value();
  CHECK(series.name == "ticks");
  CHECK(series.count == trial.timed.ops_per_loop);
  CHECK(series.offset == kFineTicks * 4);
  CHECK(series.count > kFineSteps / 2);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  Buffer& out = *trial.timed.dispatch.bindings.back().buffer;
  std::vector<std::uint64_t> ends;
  for (const std::uint32_t loops : {0u, 1u, 1u, 0u, 1u}) {
    constexpr std::uint32_t kUntouched = 0xfeedbeef;
    const std::vector<std::uint32_t> untouched(out.bytes() / 4, kUntouched);
    device.write(out, 0, std::as_bytes(std::span(untouched)));
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
    const auto words = contents<std::uint32_t>(device, out);
    ends.push_back(words[kFineTicks - 2] | std::uint64_t{words[kFineTicks - 1]} << 32);
    const std::uint64_t written = kFineTicks + loops * series.count;
    const bool pairs = device.info().api == Api::vulkan;  // one more time if the count is odd
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(written);
    CHECK(std::count(words.begin(), end, kUntouched) == 0);
    CHECK(std::all_of(end + (pairs ? static_cast<std::ptrdiff_t>(written % 2) : 0), words.end(),
                      [](std::uint32_t word) { return word == kUntouched; }));
  }
  return ends;
}

TEST_CASE("parity: a chase that times each load ends where the host's walk ends and notes a time for each, on both APIs alike") {
  std::map<std::string, std::vector<std::uint64_t>> first;  // from the first device
  on_every_device([&](Device& device) {
    for (const auto& point : fine_points()) {
      const std::string name = to_string(point);
      CAPTURE(name);
      const auto reason = find_experiment("geometry")->unsupported(device.info(), point);
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      const auto found = fine_ends(device, point);
      CHECK(found == fine_ends(host, point));
      CHECK(first.try_emplace(name, found).first->second == found);
    }
  });
}

TEST_CASE("parity: a damaged chain is caught when each load is timed") {
  on_every_device([&](Device& device) {
    for (const auto& point : fine_points()) {
      // Other paths' chains are bound as images or built into the program; their first node is also
      // the memory's first.
      if (word(point.parameters, "path") != "global" || word(point.parameters, "test") != "first-touch") continue;
      CAPTURE(to_string(point));
      Trial trial = find_experiment("geometry")->prepare(device, point, 5);
      for (const auto& dispatch : trial.setup) device.run(dispatch);
      const auto& bindings = trial.timed.dispatch.bindings;
      const auto start = contents<std::uint64_t>(device, *bindings[1].buffer);
      // The walk stays in place.
      device.write(*bindings[0].buffer, 0, std::as_bytes(std::span(start)));
      trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 1;
      device.run(trial.timed.dispatch);
      CHECK(trial.timed.verify(device, 1).status == Status::invalid);
    }
  });
}

TEST_CASE("parity: the whole protocol ends well on every path") {
  const Protocol protocol = two_samples();
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    for (const auto& point : latency_points()) {
      if (word(point.parameters, "order") == "sequential" || integer(point.parameters, "footprint") != 6464) continue;
      CAPTURE(to_string(point));
      const auto measured = measurer.measure(latency(), point, protocol, 3);
      CHECK_FALSE(measured.device_lost);
      CHECK_FALSE(measured.interrupted);
      const auto reason = latency().unsupported(device.info(), point);
      if (reason) {
        CHECK(measured.result.outcome == Outcome{Status::unsupported, *reason});
        continue;
      }
      REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
      REQUIRE(measured.result.measurement);
      const auto& measurement = *measured.result.measurement;
      CHECK(measurement.samples.size() == 2);
      CHECK(measurement.verified_samples == 2);
      CHECK(measurement.control_samples.size() == 1);
      CHECK(measurement.statistics.contains("ns_per_op"));
      CHECK(measurement.share_walked.value_or(0) > 0);
      for (const auto& sample : measurement.samples) {
        CHECK(sample.ops > 0);
        CHECK(sample.ops % 31 == 0);
        CHECK(sample.timing.host_ns > 0);
      }
    }
  });
}

TEST_CASE("parity: a damaged chain is caught on every device") {
  on_every_device([&](Device& device) {
    const auto point = latency_point("global-index", "index", "1", "random", 6464, 64);
    Trial trial = latency().prepare(device, point, 5);
    for (const auto& dispatch : trial.setup) device.run(dispatch);
    // Two nodes swap their successors: all links stay inside, and there are two cycles.
    auto& memory = *trial.timed.dispatch.bindings.front().buffer;
    auto words = contents<std::uint32_t>(device, memory);
    std::swap(words[0], words[16]);
    device.write(memory, 0, std::as_bytes(std::span(words)));
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 10;
    device.run(trial.timed.dispatch);
    CHECK(trial.timed.verify(device, 10).status == Status::invalid);
  });
}

TEST_CASE("parity: there is a device of each API where PERCYCLE_REQUIRE_DEVICES=1 asks for it") {
  const char* wish = std::getenv("PERCYCLE_REQUIRE_DEVICES");
  const bool required = wish != nullptr && std::string(wish) == "1";
  for (const Api api : {Api::opencl, Api::vulkan}) {
    if (!devices(api).empty()) continue;
    std::cout << "SKIPPED: parity with " << (api == Api::opencl ? "OpenCL" : "Vulkan") << ": no device" << std::endl;
    CHECK_FALSE_MESSAGE(required, to_string(api));
  }
}

/// Points of private-caches and sharing: each path, one walker and several, one work-group and two,
/// chains with and without a lap before.
std::vector<Point> side_points() {
  std::vector<Point> points;
  for (const char* path : {"texture", "global-index"}) {
    const auto add = [&](const char* test, const char* name, std::int64_t value, std::int64_t nodes) {
      points.push_back({"private-caches",
                        {{"path", path}, {"test", test}, {name, value}, {"bytes", nodes * 128}, {"stride", std::int64_t{128}}}});
    };
    for (const std::int64_t active : {1, 2, 5, 8}) add("count", "active", active, 93);
    for (const std::int64_t other : {1, 7}) add("pair", "other", other, 93);
    add("pair", "other", 2, 10000);
  }
  const auto add_constants = [&](const char* experiment, const char* test, const char* name, std::int64_t value) {
    points.push_back(
        {experiment,
         {{"path", "constant"}, {"test", test}, {name, value}, {"bytes", std::int64_t{21 * 64}}, {"stride", std::int64_t{64}}}});
  };
  for (const std::int64_t active : {1, 3, 8}) add_constants("private-caches", "count", "active", active);
  for (const std::int64_t groups : {1, 2}) add_constants("sharing", "units", "groups", groups);
  for (const std::int64_t groups : {1, 2}) {
    for (const std::int64_t nodes : {93, 10000}) {
      points.push_back({"sharing",
                        {{"test", "units"},
                         {"path", "global-index"},
                         {"bytes", nodes * 64},
                         {"stride", std::int64_t{64}},
                         {"groups", groups}}});
    }
  }
  for (const char* first : {"texture", "constant"}) {
    for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{93, 200}, {2, 200}, {93, 2}, {93, 10000}}) {
      points.push_back({"sharing",
                        {{"test", "paths"},
                         {"first", first},
                         {"first_bytes", a * 64},
                         {"first_stride", std::int64_t{64}},
                         {"second", "global-index"},
                         {"second_bytes", b * 64},
                         {"second_stride", std::int64_t{64}}}});
    }
  }
  return points;
}

/// Every walker's link after each of some runs.
std::vector<std::vector<std::uint32_t>> links_after_runs(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 20261121);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::uint32_t loops : {0u, 1u, 7u, 0u, 100u}) {
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
    auto words = contents<std::uint32_t>(device, *trial.timed.dispatch.bindings.back().buffer);
    words.erase(words.begin(), words.begin() + 8);  // clocks
    all.push_back(std::move(words));
  }
  return all;
}

/// Points of the bandwidth experiments: each path, form and width, one lap per turn and several,
/// strides, few groups.
std::vector<Point> bandwidth_points() {
  std::vector<Point> points;
  const auto shaped = [&](const char* experiment, std::int64_t unroll, std::int64_t group_size, Parameters more) {
    more.insert({{"unroll", unroll}, {"group_size", group_size}, {"groups_per_unit", std::int64_t{1}}});
    if (std::string(experiment) == "l1-bandwidth") more.insert({"loads", std::int64_t{unroll == 8 || unroll == 32 ? 128 : 32}});
    points.push_back({experiment, std::move(more)});
  };
  for (const char* path : {"global", "texture"}) {
    for (const char* variant : {"plain", "masked"}) {
      const auto l1 = [&](std::int64_t width, std::int64_t footprint, std::int64_t unroll, std::int64_t group_size) {
        shaped("l1-bandwidth", unroll, group_size,
               {{"path", std::string(path)}, {"variant", std::string(variant)}, {"width", width}, {"footprint", footprint}});
      };
      l1(4, 4096, 32, 64);
      l1(4, 16384, 16, 96);
      l1(8, 4096, 8, 64);
      l1(16, 16384, 4, 32);
      if (std::string(variant) == "plain") l1(16, 12288, 8, 64);  // no power of two
      if (std::string(path) != "texture") continue;
      for (const std::int64_t bits : {16, 8}) {
        l1(bits / 2, 4096, 8, 64);
        points.back().parameters["channel_bits"] = bits;
        points.push_back(points.back());
        points.back().parameters["channel_type"] = std::string("float");
      }
    }
  }
  for (const std::int64_t width : {4, 8, 16}) {
    for (const std::int64_t unroll : {4, 16}) shaped("local-bandwidth", unroll, 96, {{"form", "sweep"}, {"width", width}});
  }
  for (std::size_t i = points.size(); i-- > 0;) {
    if (i % 4 != 0) continue;
    Point some = points[i];
    some.parameters.erase("groups_per_unit");
    some.parameters["test"] = "units";
    some.parameters["groups"] = std::int64_t{3};
    points.push_back(std::move(some));
  }
  for (const std::int64_t stride : {1, 3, 32, 64}) {
    shaped("local-bandwidth", 8, 64, {{"form", "strided"}, {"width", std::int64_t{4}}, {"stride", stride}});
    points.push_back({"local-bandwidth", {{"form", "chase"}, {"width", std::int64_t{4}}, {"stride", stride}}});
  }
  return points;
}

/// The value of every invocation after each of some runs. Checks that every group stamped its
/// clocks in order.
std::vector<std::vector<std::uint32_t>> values_after_runs(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 20261121);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  const GroupStamps stamps = trial.group_stamps.value();
  CHECK(stamps.groups == trial.timed.dispatch.groups);
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::uint32_t loops : {0u, 1u, 2u, 7u, 100u}) {
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
    all.push_back(contents<std::uint32_t>(device, *trial.timed.dispatch.bindings[1].buffer));
    for (const std::uint64_t count : contents<std::uint64_t>(device, *stamps.buffer)) {
      if (!device.info().unit_clock && !device.info().device_clock && !device.info().unit_id) CHECK(count < stamps.groups);
    }
  }
  return all;
}

TEST_CASE("parity: bandwidth kernels read the data that the host computes, on both APIs") {
  // From the first device: values of its first lanes.
  std::map<std::string, std::vector<std::uint32_t>> first;
  on_every_device([&](Device& device) {
    std::size_t compared = 0;
    for (const auto& point : bandwidth_points()) {
      const std::string name = to_string(point);
      CAPTURE(name);
      const auto reason = find_experiment(point.experiment)->unsupported(device.info(), point);
      if (reason && reason->ends_with("texels")) continue;  // Oclgrind's texel buffers
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      try {
        const auto found = values_after_runs(device, point);
        CHECK(found == values_after_runs(host, point));
        std::vector<std::uint32_t> lanes;
        for (const auto& each : found) lanes.insert(lanes.end(), each.begin(), each.begin() + 32);
        CHECK(first.try_emplace(name, lanes).first->second == lanes);
        // Each turn changes the result.
        for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i] != found[i - 1]);
        ++compared;
      } catch (const DeviceError& error) {
        CHECK_MESSAGE(error.kind == DeviceError::Kind::unsupported, error.what());
        CHECK(device.info().api == Api::opencl);
        CHECK(integer(point.parameters, "width") == 8);
      }
    }
    CHECK(compared > 20);
  });
}

TEST_CASE("parity: a buffer is filled to its last word with the host's words, with addresses and without") {
  on_every_device([&](Device& device) {
    WithoutAddresses hiding(device);
    const DataWords words(99);
    for (Device* each : {&device, static_cast<Device*>(&hiding)}) {
      // A second, short dispatch.
      const auto buffer = each->create(BufferDesc{(std::uint64_t{64} << 20) + 20});
      for (const auto& dispatch : fill(*each, buffer, words)) each->run(dispatch);
      const auto found = contents<std::uint32_t>(*each, *buffer);
      std::uint64_t i = 0;
      CHECK(std::all_of(found.begin(), found.end(), [&](std::uint32_t word) { return word == words.word(i++); }));
    }
  });
}

TEST_CASE("parity: one wrong word in the input of the bandwidth kernels is caught") {
  on_every_device([&](Device& device) {
    for (const auto& point : bandwidth_points()) {
      // Bound as an image.
      if (point.parameters.contains("path") && word(point.parameters, "path") == "texture") continue;
      // It reads its own links.
      if (point.parameters.contains("form") && word(point.parameters, "form") == "chase") continue;
      CAPTURE(to_string(point));
      Trial trial = find_experiment(point.experiment)->prepare(device, point, 5);
      for (const auto& dispatch : trial.setup) device.run(dispatch);
      Buffer& data = *trial.timed.dispatch.bindings[0].buffer;
      // In the last lane's last row, for any placement of lanes.
      const std::uint64_t last = data.bytes() - 4;
      std::uint32_t value = 0;
      device.read(data, last, std::as_writable_bytes(std::span(&value, 1)));
      value ^= 0x100;
      device.write(data, last, std::as_bytes(std::span(&value, 1)));
      for (const std::uint32_t loops : {0u, 1u, 64u}) {
        trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
        device.run(trial.timed.dispatch);
        CHECK(trial.timed.verify(device, loops).status == Status::invalid);
      }
    }
  });
}

TEST_CASE("parity: the whole protocol of bandwidth ends well, with the clocks that a device has") {
  const Protocol protocol = two_samples();
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    for (auto point : bandwidth_points()) {
      if (integer(point.parameters, "width") != 16) continue;
      CAPTURE(to_string(point));
      for (const char* role : {"search", "best"}) {
        point.parameters["role"] = std::string(role);
        const auto measured = measurer.measure(*find_experiment(point.experiment), point, protocol, 3);
        REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
        const Measurement& measurement = measured.result.measurement.value();
        CHECK(measurement.samples.size() == (std::string(role) == "search" ? 1 : 2));
        CHECK(positive_or_too_short(measurement, "gb_per_s"));
        const auto& info = device.info();
        for (const auto& sample : measurement.samples) {
          REQUIRE(sample.groups);
          CHECK(sample.groups->groups == integer_or(point.parameters, "groups", info.units ? info.units->value : 32));
          CHECK(sample.groups->units.has_value() == info.unit_id.has_value());
          CHECK(sample.groups->ticks.has_value() == info.unit_clock.has_value());
          CHECK(sample.groups->span_ns.has_value() == (info.device_clock && info.device_clock->tick_ns));
          // Within the dispatch: stamps at another place than the host reads could be any number.
          if (sample.groups->span_ns) CHECK(*sample.groups->span_ns <= sample.timing.host_ns);
          // Both around the same part of the kernel.
          if (sample.groups->ticks_per_ns) CHECK(*sample.groups->ticks_per_ns < 10);
        }
      }
    }
  });
}

/// A device that reports subgroups of four instead of none, and two units instead of one: kernels
/// count lanes and groups and do not notice.
DescribedDevice with_subgroups(Device& device) {
  DeviceInfo info = device.info();
  if (info.subgroup_sizes.empty()) info.subgroup_sizes = {4};
  if (info.units) info.units->value = std::max(info.units->value, 2u);
  return {device, std::move(info)};
}

TEST_CASE("parity: chains walked side by side and in turns end where the host's walks end") {
  on_every_device([&](Device& real) {
    DescribedDevice device = with_subgroups(real);
    for (const auto& point : side_points()) {
      CAPTURE(to_string(point));
      const auto reason = find_experiment(point.experiment)->unsupported(device.info(), point);
      // Oclgrind's texel buffers.
      if (reason && reason->ends_with("holds at most 256 KiB")) continue;
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      CHECK(links_after_runs(device, point) == links_after_runs(host, point));
    }
    // One lane per group if there are no subgroups.
    for (const auto& point : side_points()) {
      if (point.experiment == "private-caches" || !real.info().subgroup_sizes.empty()) continue;
      CAPTURE(to_string(point));
      auto host = host_like(real.info());
      CHECK(links_after_runs(real, point) == links_after_runs(host, point));
    }
  });
}

TEST_CASE("parity: a damaged chain is caught when walked side by side or in turns") {
  on_every_device([&](Device& device) {
    for (const auto& point : side_points()) {
      if (find_experiment(point.experiment)->unsupported(device.info(), point)) continue;
      // Bound as an image.
      if (point.parameters.contains("first") && word(point.parameters, "first") == "texture") continue;
      if (point.parameters.contains("path") && word(point.parameters, "path") == "texture") continue;
      // In no buffer.
      if (point.parameters.contains("path") && word(point.parameters, "path") == "constant") continue;
      CAPTURE(to_string(point));
      Trial trial = find_experiment(point.experiment)->prepare(device, point, 5);
      const auto& bindings = trial.timed.dispatch.bindings;
      auto& memory = *bindings[bindings.size() - 2].buffer;
      auto words = contents<std::uint32_t>(device, memory);
      const std::uint32_t begin =
          contents<std::uint32_t>(device, *bindings.back().buffer)[point.parameters.contains("first") ? 9 : 8];
      words[begin] = begin;  // the walk stays in place
      device.write(memory, 0, std::as_bytes(std::span(words)));
      trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 10;
      device.run(trial.timed.dispatch);
      // After 3 warm turns of the short chains the number of loads is odd, so that two nodes
      // suffice to notice a fault.
      CHECK(trial.timed.verify(device, 10).status == Status::invalid);
    }
  });
}

}  // namespace
}  // namespace percycle::parity_test

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"

namespace percycle::latency_test {
namespace {

using Set = std::map<std::string, std::string>;
using Sizes = std::vector<std::uint64_t>;

const Experiment& latency() { return *find_experiment("latency"); }

Options options(const Set& set, Preset preset = Preset::quick) {
  const std::vector<const Experiment*> one{&latency()};
  return make_options(one, set, preset, 1).front();
}

std::vector<Point> planned(const DeviceInfo& device, const Set& set, Preset preset = Preset::quick,
                           const std::vector<PointResult>& done = {}) {
  return latency().plan(device, options(set, preset), done);
}

std::uint64_t footprint(const Point& point) { return static_cast<std::uint64_t>(integer(point.parameters, "footprint")); }

Sizes footprints(const std::vector<Point>& points) {
  Sizes sizes;
  for (const auto& point : points) sizes.push_back(footprint(point));
  return sizes;
}

/// Measures everything that a plan requests on an invented curve, generation by generation; returns
/// the number of generations.
int carry_out(const DeviceInfo& device, const Set& set, Preset preset, const std::function<PointResult(const Point&)>& measure,
              std::vector<PointResult>& done) {
  std::set<std::string> known;
  for (int generation = 0; generation < 100; ++generation) {
    const auto points = planned(device, set, preset, done);
    std::set<std::string> now;
    for (const auto& point : points) now.insert(to_string(point));
    CHECK(now.size() == points.size());
    // The plan drops no point.
    CHECK(std::includes(now.begin(), now.end(), known.begin(), known.end()));
    if (now == known) return generation;
    for (const auto& point : points) {
      if (!known.contains(to_string(point))) done.push_back(measure(point));
    }
    known = std::move(now);
  }
  FAIL("the plan has no end");
  return 0;
}

PointResult result(const Point& point, double ns) {
  Measurement measurement;
  measurement.statistics["ns_per_op"] = {ns, 0, ns, ns, 3};
  return {point, {}, measurement};
}

TEST_CASE("latency: quick plans an octave grid of every path, as far as the path holds") {
  const auto points = planned(fake::gpu(), {});
  std::map<std::string, std::vector<Point>> by_path;
  for (const auto& point : points) {
    CHECK(point.experiment == "latency");
    by_path[word(point.parameters, "path")].push_back(point);
  }
  REQUIRE(by_path.size() == 6);
  Sizes octaves;
  for (std::uint64_t size = kKiB; size <= kGiB; size *= 2) octaves.push_back(size);
  for (const char* path : {"global", "global-index", "scalar"}) CHECK(footprints(by_path[path]) == octaves);
  octaves.pop_back();  // texels of 4 B: 512 MiB
  CHECK(footprints(by_path["texture"]) == octaves);
  CHECK(footprints(by_path["constant"]) == Sizes{1024, 2048, 4096, 8192, 16384, 32768, 65536});
  CHECK(footprints(by_path["local"]) == Sizes{1024, 2048, 4096, 8192, 16384, 32768, 49152});
  const std::map<std::string, std::string> forms{{"global", "pointer"}, {"global-index", "index"}, {"scalar", "index"},
                                                 {"texture", "index"},  {"constant", "index"},     {"local", "index"}};
  for (const auto& pair : forms) {
    const auto& path = pair.first;
    const auto& form = pair.second;
    CAPTURE(path);
    const auto& parameters = by_path[path].front().parameters;
    CHECK(word(parameters, "form") == form);
    CHECK(word(parameters, "lanes") == "1");
    CHECK(word(parameters, "order") == "random");
    CHECK(integer(parameters, "stride") == (path == "constant" || path == "local" ? 64 : 128));
    CHECK_FALSE(parameters.contains("subgroup_size"));
  }
}

TEST_CASE("latency: standard plans four points per octave to a gibibyte, full eight") {
  CHECK(planned(fake::gpu(), {{"path", "global"}}, Preset::standard).size() == 81);
  CHECK(footprint(planned(fake::gpu(), {{"path", "global"}}, Preset::standard).back()) == kGiB);
  CHECK(footprint(planned(fake::gpu(), {{"path", "global"}}, Preset::full).back()) == kGiB);
  CHECK(planned(fake::gpu(), {{"path", "global"}}, Preset::full).size() > 150);
  CHECK(planned(fake::gpu(), {{"path", "constant"}}, Preset::standard).size() == 25);
  DeviceInfo small = fake::gpu();
  small.memory_bytes = 4 * kGiB;
  CHECK(footprint(planned(small, {{"path", "global"}}, Preset::standard).back()) == 512 * kMiB);
}

TEST_CASE("latency: each limit of the device ends a sweep") {
  const auto largest = [](const DeviceInfo& device, const std::string& path) {
    return footprint(planned(device, {{"path", path}}, Preset::standard).back());
  };
  DeviceInfo device = fake::gpu();
  device.max_allocation_bytes = 100 * kMiB;
  CHECK(largest(device, "global") == 100 * kMiB);
  device = fake::gpu();
  device.memory_bytes = 200 * kMiB;  // a quarter of it, so that the machine stays usable
  CHECK(largest(device, "global") == 50 * kMiB);
  device = fake::gpu();
  device.max_storage_bytes = 128 * kMiB;
  CHECK(largest(device, "global-index") == 128 * kMiB);
  CHECK(largest(device, "scalar") == 128 * kMiB);
  CHECK(largest(device, "global") == kGiB);
  device.max_texel_elements = 65536;
  CHECK(largest(device, "texture") == 256 * kKiB);
  device.local_memory_bytes = 32 * kKiB;
  CHECK(largest(device, "local") == 32 * kKiB);
  device.constant_bytes = 16 * kKiB;
  CHECK(largest(device, "constant") == 16 * kKiB);
  device.constant_bytes = kGiB;
  CHECK(largest(device, "constant") == 64 * kKiB);
  device.memory_bytes.reset();
  device.max_allocation_bytes.reset();
  CHECK(largest(device, "global") == 512 * kMiB);
}

/// As NVIDIA's through Vulkan: buffers of 64 KiB, and many of them.
DeviceInfo many_buffers() {
  DeviceInfo device = fake::gpu(Api::vulkan);
  device.constant_buffers = 1000;
  return device;
}

TEST_CASE("latency: constants beyond one buffer are walked through 16, in footprints that fill them evenly") {
  const auto sizes = [](const DeviceInfo& device, Set set, Preset preset = Preset::standard) {
    set["path"] = "constant";
    return footprints(planned(device, set, preset));
  };
  CHECK(sizes(many_buffers(), {}, Preset::full).back() == 64 * kKiB);  // unless asked for
  CHECK(sizes(many_buffers(), {{"min", "32K"}, {"max", "4M"}}, Preset::quick) ==
        Sizes{32 * kKiB, 64 * kKiB, 128 * kKiB, 256 * kKiB, 512 * kKiB, kMiB});
  const auto standard = sizes(many_buffers(), {{"min", "50K"}, {"max", "200K"}});
  CHECK(standard.front() == 50 * kKiB);
  CHECK(standard.back() == 200 * kKiB);
  for (const std::uint64_t size : standard) CHECK(size % (size > 64 * kKiB ? 4096 : 64) == 0);
  CHECK(sizes(many_buffers(), {{"min", "65K"}, {"max", "80K"}}).front() == 68 * kKiB);
  CHECK_THROWS_AS(sizes(many_buffers(), {{"min", "65K"}, {"max", "67K"}}), UsageError);
  // A stride of three quarters of a step of 256 B.
  for (const std::uint64_t size : sizes(many_buffers(), {{"min", "65K"}, {"max", "80K"}, {"stride", "192"}}))
    CHECK(size % (16 * 768) == 0);
  DeviceInfo few = many_buffers();
  few.constant_buffers = 15;
  CHECK(sizes(few, {{"max", "4M"}}).back() == 512 * kKiB);
  few.constant_buffers.reset();
  CHECK(sizes(few, {{"max", "4M"}}).back() == 64 * kKiB);
  CHECK(sizes(many_buffers(), {{"max", "4M"}, {"order", "sequential"}}).back() == 64 * kKiB);
}

TEST_CASE("latency: an edge between footprints that fill the buffers is refined to the next ones") {
  std::vector<PointResult> done;
  carry_out(
      many_buffers(), {{"path", "constant"}, {"max", "1M"}}, Preset::full,
      [](const Point& point) { return result(point, footprint(point) > 130 * kKiB ? 200 : 100); }, done);
  std::set<std::uint64_t> measured;
  for (const auto& each : done) {
    CHECK_FALSE(latency().unsupported(many_buffers(), each.point));
    measured.insert(footprint(each.point));
  }
  CHECK(*std::prev(measured.upper_bound(130 * kKiB)) == 128 * kKiB);
  CHECK(*measured.upper_bound(130 * kKiB) == 132 * kKiB);
}

TEST_CASE("latency: sequential constants in several buffers, and footprints that leave rests, are unsupported") {
  const auto reason = [](std::uint64_t bytes, const char* form, const char* order) {
    DeviceInfo device = many_buffers();
    device.api = Api::sim;
    Point point = planned(device, {{"path", "constant"}}).front();
    point.parameters["footprint"] = static_cast<std::int64_t>(bytes);
    point.parameters["form"] = std::string(form);
    point.parameters["order"] = std::string(order);
    return latency().unsupported(device, point).value_or("");
  };
  CHECK(reason(128 * kKiB, "index", "random").empty());
  CHECK(reason(kMiB, "index", "random").empty());
  CHECK_WORDS("latency.constant-limit", reason(kMiB + 4096, "index", "random"));
  CHECK_WORDS("latency.uneven-buffers", reason(65 * kKiB, "index", "random"));
  CHECK_WORDS("latency.large-constants", reason(128 * kKiB, "byte-offset", "random"));
  CHECK_WORDS("latency.large-constants", reason(128 * kKiB, "index", "sequential"));
  CHECK(reason(64 * kKiB, "byte-offset", "sequential").empty());
}

TEST_CASE("latency: a chain through buffers visits every node, each in the buffer behind the last") {
  constexpr std::uint32_t kNodes = 16 * 72;
  const Chain chain = chain_through_buffers(kNodes, 16, 5);
  CHECK(chain.nodes() == kNodes);
  std::set<std::uint32_t> visited;
  std::set<std::uint32_t> together;  // places of one round
  for (std::uint32_t position = 0; position < kNodes; ++position) {
    const std::uint32_t node = chain.place(position);
    visited.insert(node);
    CHECK(node / 72 == position % 16);
    if (position < 16) together.insert(node % 72);
  }
  CHECK(visited.size() == kNodes);
  CHECK(together.size() == 16);
  CHECK_FALSE(chain_through_buffers(kNodes, 16, 6) == chain);
}

TEST_CASE("latency: links in several buffers count from the start of the next buffer") {
  const Chain chain = chain_through_buffers(64, 4, 1);
  const ChainImage image{chain, {.stride_bytes = 64, .link_unit = 16}};
  const auto bytes = constant_chain(image, 1, 4);
  REQUIRE(bytes.size() == 4096);
  std::uint32_t link = chain.place(0) * 4;
  for (std::uint32_t position = 0; position < 200; ++position) {
    const std::uint32_t node = position % 4 * 16 + link / 4;
    CHECK(node == chain.place(position));
    std::memcpy(&link, bytes.data() + std::size_t{node} * 64, sizeof link);
  }
}

TEST_CASE("latency: for each level a walk without gaps asks for shorter lines, but not at quick") {
  const auto walks = [](Set set, Preset preset, double without_gaps) {
    std::vector<PointResult> done;
    carry_out(
        fake::gpu(), set, preset,
        [&](const Point& point) {
          const bool asks = point.parameters.contains("divisor");
          return result(point, asks ? without_gaps : footprint(point) > kMiB ? 600 : 200);
        },
        done);
    std::vector<Point> found;
    for (const auto& each : done) {
      if (each.point.parameters.contains("divisor")) found.push_back(each.point);
    }
    return found;
  };
  for (const char* path : {"global", "scalar", "texture"}) {
    const auto fits = walks({{"path", path}}, Preset::standard, 200);
    REQUIRE(fits.size() == 1);
    CHECK(integer(fits[0].parameters, "stride") == 64);
    CHECK(static_cast<double>(footprint(fits[0])) == doctest::Approx(0.7 * kMiB).epsilon(0.06));
  }
  const auto misses = walks({{"path", "global"}}, Preset::standard, 600);
  REQUIRE(misses.size() == 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto& parameters = misses[static_cast<std::size_t>(i)].parameters;
    CHECK(integer(parameters, "divisor") == 1 << i);
    CHECK(integer(parameters, "stride") == 64 >> i);
  }
  CHECK(walks({{"path", "global"}}, Preset::quick, 200).empty());
  CHECK(walks({{"path", "global"}, {"order", "sequential"}}, Preset::standard, 200).empty());
  CHECK(walks({{"path", "global"}, {"lanes", "subgroup"}}, Preset::standard, 200).empty());
  CHECK(walks({{"path", "constant"}, {"max", "2M"}}, Preset::standard, 200).empty());
}

TEST_CASE("latency: a plan follows the user's settings") {
  const auto points = planned(fake::gpu(), {{"path", "local,global"},
                                            {"lanes", "subgroup"},
                                            {"order", "sequential"},
                                            {"stride", "256"},
                                            {"min", "4K"},
                                            {"max", "16K"},
                                            {"points_per_octave", "2"}});
  REQUIRE(points.size() == 10);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(word(points[i].parameters, "path") == (i < 5 ? "local" : "global"));
    CHECK(word(points[i].parameters, "lanes") == "subgroup");
    CHECK(word(points[i].parameters, "order") == "sequential");
    CHECK(integer(points[i].parameters, "stride") == 256);
  }
  CHECK(footprints({points.begin(), points.begin() + 5}) == Sizes{4096, 5632, 8192, 11520, 16384});
  CHECK(footprints(planned(fake::gpu(), {{"path", "global"}, {"stride", "4K"}, {"max", "16K"}})) == Sizes{8192, 16384});
  const auto cpu = [] {
    DeviceInfo device = fake::gpu();
    device.type = DeviceType::cpu;
    return device;
  }();
  CHECK(integer(planned(cpu, {{"path", "global"}}).front().parameters, "stride") == 64);
}

TEST_CASE("latency: equal arguments give equal plans") {
  CHECK(planned(fake::gpu(), {}, Preset::full) == planned(fake::gpu(), {}, Preset::full));
}

TEST_CASE("latency: quick adds at most 30 points to a path, where its curve rises") {
  std::vector<PointResult> done;
  carry_out(
      fake::gpu(), {{"path", "global"}}, Preset::quick,
      [](const Point& point) { return result(point, static_cast<double>(footprint(point))); }, done);
  CHECK(done.size() == 21 + 30);  // octaves from 1 KiB to 1 GiB
}

TEST_CASE("latency: a flat curve is not refined") {
  std::vector<PointResult> done;
  CHECK(carry_out(
            fake::gpu(), {{"path", "global,local"}}, Preset::standard, [](const Point& point) { return result(point, 20); },
            done) == 1);
}

TEST_CASE("latency: every edge of a staircase is found to the finest ratio, on each path by itself") {
  const std::map<std::string, Sizes> edges{
      {"global", {200 * kKiB, 20 * kMiB, 300 * kMiB}}, {"texture", {30 * kKiB}}, {"local", {}}};
  const auto staircase = [&](const Point& point) {
    double ns = 20;
    for (const std::uint64_t edge : edges.at(word(point.parameters, "path"))) ns *= footprint(point) > edge ? 5 : 1;
    return result(point, ns);
  };
  for (const auto& [preset, finest] :
       {std::pair{Preset::quick, 1.06}, std::pair{Preset::standard, 1.06}, std::pair{Preset::full, 1.03}}) {
    std::vector<PointResult> done;
    const Set set{{"path", "global,texture,local"}};
    CHECK(carry_out(fake::gpu(), set, preset, staircase, done) > 1);
    std::map<std::string, std::set<std::uint64_t>> measured;
    for (const auto& each : done) measured[word(each.point.parameters, "path")].insert(footprint(each.point));
    for (const auto& pair : edges) {
      const auto& path = pair.first;
      const auto& places = pair.second;
      CAPTURE(path);
      for (const std::uint64_t edge : places) {
        const auto above = measured[path].upper_bound(edge);
        CHECK(static_cast<double>(*above) / static_cast<double>(*std::prev(above)) <= finest);
      }
      std::size_t grid = 0;
      for (const auto& point : planned(fake::gpu(), set, preset)) grid += word(point.parameters, "path") == path ? 1 : 0;
      CHECK(measured[path].size() <= grid + 4 * places.size());
    }
    for (const auto& each : done) CHECK(footprint(each.point) % 64 == 0);
  }
}

TEST_CASE("latency: a curve that is all noise stays within the limit of added points") {
  for (const auto& [preset, most] : {std::pair{Preset::standard, std::size_t{24}}, std::pair{Preset::full, std::size_t{96}}}) {
    const Set set{{"path", "global"}, {"max", "1M"}};
    const std::size_t grid = planned(fake::gpu(), set, preset).size();
    std::size_t fewest = grid + most;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SplitMix64 random(seed);
      std::vector<PointResult> done;
      // Noisy at a few places only, so that there is room for some generations.
      carry_out(
          fake::gpu(), set, preset,
          [&](const Point& point) { return result(point, 100 + (random() % 8 == 0 ? static_cast<double>(random() % 900) : 0)); },
          done);
      CHECK(done.size() <= grid + most);
      fewest = std::min(fewest, done.size());
    }
    CHECK(fewest > grid);
  }
}

TEST_CASE("latency: a curve that rises everywhere uses up the point limit, largest steps first") {
  const Set set{{"path", "global"}, {"max", "64M"}};
  std::vector<PointResult> done;
  // A ramp of 1.19 per grid point, and one cliff in it.
  carry_out(
      fake::gpu(), set, Preset::standard,
      [](const Point& point) {
        const auto size = static_cast<double>(footprint(point));
        return result(point, footprint(point) > 5 * kMiB ? 100 * size : size);
      },
      done);
  std::erase_if(done, [](const PointResult& each) { return each.point.parameters.contains("divisor"); });
  CHECK(done.size() == planned(fake::gpu(), set, Preset::standard).size() + 24);
  std::set<std::uint64_t> measured;
  for (const auto& each : done) measured.insert(footprint(each.point));
  const auto above = measured.upper_bound(5 * kMiB);
  CHECK(static_cast<double>(*above) / static_cast<double>(*std::prev(above)) <= 1.06);
}

TEST_CASE("latency: deviations are not chased") {
  std::vector<PointResult> done;
  SplitMix64 random(1);
  CHECK(carry_out(
            fake::gpu(), {{"path", "global"}}, Preset::standard,
            [&](const Point& point) {
              auto noisy = result(point, 100 + static_cast<double>(random() % 28));
              noisy.measurement->statistics["ns_per_op"].mad = 5;
              return noisy;
            },
            done) == 1);
}

TEST_CASE("latency: points that are not ok bend no curve, other points' results are not taken for these") {
  const Set set{{"path", "global"}, {"max", "64K"}};
  std::vector<PointResult> done;
  for (const auto& point : planned(fake::gpu(), set, Preset::standard)) {
    done.push_back(footprint(point) == 8192 ? PointResult{point, {Status::failed, "crashed"}, std::nullopt} : result(point, 20));
  }
  const std::size_t grid = done.size();
  CHECK(planned(fake::gpu(), set, Preset::standard, done).size() == grid);
  // An unfinished generation requests nothing more.
  std::vector<PointResult> part;
  for (const auto& each : done) {
    if (footprint(each.point) != 16384) part.push_back(result(each.point, static_cast<double>(footprint(each.point))));
  }
  CHECK(planned(fake::gpu(), set, Preset::standard, part).size() == grid);
  // The same footprints with other lanes, or of another experiment.
  std::vector<PointResult> others = part;
  for (auto& each : others) each.point.parameters["lanes"] = "subgroup";
  auto foreign = part;
  for (auto& each : foreign) each.point.experiment = "bandwidth";
  others.insert(others.end(), foreign.begin(), foreign.end());
  CHECK(planned(fake::gpu(), set, Preset::standard, others) == planned(fake::gpu(), set, Preset::standard));
}

/// The single point of an unsupported path, with the reason.
std::string refusal(const DeviceInfo& device, const Set& set) {
  const auto points = planned(device, set, Preset::standard);
  REQUIRE(points.size() == 1);  // reported once, not at every footprint
  const auto reason = latency().unsupported(device, points.front());
  REQUIRE(reason);
  return *reason;
}

TEST_CASE("latency: an unsupported point is reported once, with its reason") {
  const auto opencl = fake::gpu(Api::opencl);
  const auto vulkan = fake::gpu(Api::vulkan);
  for (const auto& device : {opencl, vulkan}) {
    for (const auto& point : planned(device, {})) CHECK_FALSE(latency().unsupported(device, point));
  }
  CHECK_WORDS("latency.no-global-form", refusal(opencl, {{"path", "global"}, {"form", "index"}}));
  CHECK_WORDS("latency.no-texture-form", refusal(opencl, {{"path", "texture"}, {"form", "byte-offset"}}));
  for (const char* path : {"global-index", "scalar", "constant", "local"}) {
    CHECK_WORDS("latency.no-byte-offsets", refusal(vulkan, {{"path", path}, {"form", "byte-offset"}}));
    CHECK_FALSE(latency().unsupported(opencl, planned(opencl, {{"path", path}, {"form", "byte-offset"}}).front()));
  }
  const auto without = [&](const DeviceInfo& from, const std::function<void(DeviceInfo&)>& take) {
    DeviceInfo device = from;
    take(device);
    return device;
  };
  CHECK_WORDS("device.no-buffer-addresses",
              refusal(without(vulkan, [](auto& d) { d.buffer_addresses = false; }), {{"path", "global"}}));
  CHECK_WORDS("latency.short-pointers", refusal(without(opencl, [](auto& d) { d.address_bits = 32; }), {{"path", "global"}}));
  CHECK_WORDS("latency.no-int64",
              refusal(without(vulkan, [](auto& d) { d.int64 = false; }), {{"path", "global"}, {"form", "offset32"}}));
  CHECK_WORDS("device.no-subgroup-size",
              refusal(without(opencl, [](auto& d) { d.subgroup_sizes.clear(); }), {{"path", "local"}, {"lanes", "subgroup"}}));
  CHECK_WORDS("device.fixed-subgroup-size", refusal(opencl, {{"path", "local"}, {"subgroup_size", "32"}}));
  const auto choosing = without(vulkan, [](auto& d) { d.subgroup_size_control = true; });
  CHECK_WORDS("device.no-subgroup-size-16", refusal(choosing, {{"path", "local"}, {"subgroup_size", "16"}}));
  CHECK(integer(planned(choosing, {{"path", "local"}, {"subgroup_size", "32"}}).front().parameters, "subgroup_size") == 32);
  CHECK_WORDS("device.no-local-memory", refusal(without(opencl, [](auto& d) { d.local_memory_bytes = 0; }), {{"path", "local"}}));
  CHECK_WORDS("device.no-constant-memory",
              refusal(without(opencl, [](auto& d) { d.constant_bytes = 0; }), {{"path", "constant"}}));
  CHECK_WORDS("device.no-textures", refusal(without(opencl, [](auto& d) { d.max_texel_elements = 0; }), {{"path", "texture"}}));
  CHECK_WORDS("latency.local-limit", refusal(opencl, {{"path", "local"}, {"min", "64K"}}));
  CHECK_WORDS("latency.stride-of-pointers", refusal(opencl, {{"path", "global"}, {"stride", "4"}}));
  CHECK_WORDS("latency.stride-of-constants", refusal(opencl, {{"path", "constant"}, {"stride", "8"}}));
  CHECK_WORDS("latency.stride-of-words", refusal(opencl, {{"path", "local"}, {"stride", "6"}}));
}

TEST_CASE("latency: 32-bit links end at 4 GiB") {
  DeviceInfo device = fake::gpu();
  device.memory_bytes = 64 * kGiB;
  device.max_allocation_bytes = 16 * kGiB;
  Point point = planned(device, {{"path", "global"}, {"form", "offset32"}}).front();
  point.parameters["footprint"] = static_cast<std::int64_t>(4 * kGiB);
  CHECK_FALSE(latency().unsupported(device, point));
  point.parameters["footprint"] = static_cast<std::int64_t>(4 * kGiB + 128);
  CHECK_WORDS("latency.short-links", latency().unsupported(device, point));
  point.parameters["form"] = "pointer";
  CHECK_FALSE(latency().unsupported(device, point));
}

TEST_CASE("latency: an unsupported path leaves the other paths measured") {
  DeviceInfo device = fake::gpu();
  device.buffer_addresses = false;
  std::map<std::string, std::size_t> points;
  for (const auto& point : planned(device, {})) ++points[word(point.parameters, "path")];
  CHECK(points["global"] == 1);
  CHECK(points["global-index"] == 21);
  CHECK(points["local"] == 7);
}

TEST_CASE("latency: a turn of the loop that did not happen is seen on the smallest chains") {
  for (const std::int64_t nodes : {2, 3, 4, 8, 16, 32, 64, 100}) {
    CAPTURE(nodes);
    fake::FakeDevice device(fake::Script{});
    Point point = planned(device.info(), {{"path", "global"}, {"stride", "64"}}).front();
    point.parameters["footprint"] = nodes * 64;
    Trial trial = latency().prepare(device, point, 1);
    for (const auto& dispatch : trial.setup) device.run(dispatch);
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 0;
    device.run(trial.timed.dispatch);
    CHECK(trial.timed.verify(device, 0) == Outcome{});
    device.run(trial.timed.dispatch);
    CHECK(trial.timed.verify(device, 1).status == Status::invalid);
  }
}

TEST_CASE("latency: a range that holds no footprint is refused") {
  CHECK_THROWS_WORDS("latency.no-footprint", UsageError,
                     planned(fake::gpu(), {{"path", "global"}, {"min", "4K"}, {"max", "2K"}}));
}

TEST_CASE("latency: the chase runs in one group of its lanes, and a required subgroup size reaches the kernel") {
  fake::Script script;
  script.info.subgroup_size_control = true;
  script.info.subgroup_sizes = {8, 16, 32};
  fake::FakeDevice device(script);
  const auto desc_of = [&](const Set& set) {
    const auto point = planned(script.info, set).front();
    REQUIRE_FALSE(latency().unsupported(script.info, point));
    const Trial trial = latency().prepare(device, point, 1);
    CHECK(trial.timed.dispatch.groups == 1);
    return dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
  };
  CHECK(desc_of({{"path", "global"}}).local_size == 8);  // of which one walks
  CHECK(desc_of({{"path", "global"}, {"subgroup_size", "32"}}).local_size == 32);
  CHECK(desc_of({{"path", "scalar"}}).local_size == 1);
  CHECK(desc_of({{"path", "constant"}}).local_size == 1);
  CHECK(desc_of({{"path", "scalar"}, {"lanes", "subgroup"}}).local_size == 8);
  const auto subgroup = desc_of({{"path", "global"}, {"lanes", "subgroup"}});
  CHECK(subgroup.local_size == 8);
  CHECK_FALSE(subgroup.subgroup_size);
  const auto desc = desc_of({{"path", "global"}, {"lanes", "subgroup"}, {"subgroup_size", "16"}});
  CHECK(desc.local_size == 16);
  CHECK(desc.subgroup_size == 16u);
  const auto local = desc_of({{"path", "local"}});
  CHECK(local.local_size == 256);
  CHECK(local.definitions.at("LOCAL_WORDS") == "12288");
  const auto constant = desc_of({{"path", "constant"}});
  CHECK(constant.constants.size() == 1024);
  CHECK(constant.constant_buffers == 1);
  CHECK_FALSE(constant.definitions.contains("CONSTANT_BUFFERS"));
}

TEST_CASE("latency: a chase through several buffers ends where the host expects, and a skipped turn shows") {
  fake::Script script;
  script.info = many_buffers();
  fake::FakeDevice device(script);
  const auto points = planned(script.info, {{"path", "constant"}, {"max", "256K"}});
  for (const Point& point : {points.at(points.size() - 2), points.back()}) {
    CAPTURE(footprint(point));
    Trial trial = latency().prepare(device, point, 1);
    const auto& desc = dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
    CHECK(desc.constant_buffers == 16);
    CHECK(desc.definitions.at("CONSTANT_BUFFERS") == "16");
    CHECK(desc.constants.size() == footprint(point));
    CHECK(trial.timed.ops_per_loop == 32);
    CHECK(trial.timed.turn->front().count == 32);
    CHECK(trial.control->ops_per_loop == 32);
    // A whole lap, because nothing else reads the constants in advance.
    CHECK(trial.timed.dispatch.parameters.at("warm_loops").word() * 32 >= footprint(point) / 64);
    for (const std::uint32_t loops : {0u, 1u, 9u}) {
      trial.timed.dispatch.parameters.at("loops") = loops;
      device.run(trial.timed.dispatch);
      CHECK(trial.timed.verify(device, loops).status == Status::ok);
      trial.control->dispatch.parameters.at("loops") = loops;
      device.run(trial.control->dispatch);
      CHECK(trial.control->verify(device, loops).status == Status::ok);
    }
    CHECK(trial.timed.verify(device, 1).status == Status::invalid);
  }
}

}  // namespace
}  // namespace percycle::latency_test

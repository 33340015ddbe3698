#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check_words.hpp"
#include "core/configuration.hpp"
#include "core/error.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"

namespace percycle::bandwidth_plan_test {
namespace {

using Set = std::map<std::string, std::string>;

/// Without stores, which stores_test.cpp plans.
std::vector<Point> planned(const char* experiment, const DeviceInfo& device, Set set, Preset preset,
                           const std::vector<PointResult>& done = {}) {
  const std::vector<const Experiment*> one{find_experiment(experiment)};
  for (const ParameterSpec& spec : one.front()->parameters()) {
    if (spec.name == "operation") set.emplace("operation", "read");
  }
  return one.front()->plan(device, make_options(one, set, preset, 1).front(), done);
}

/// Everything that a plan requests until it requests nothing new; the speed of a configuration
/// grows with its groups.
std::vector<Point> carried_out(const char* experiment, const DeviceInfo& device, Preset preset) {
  std::vector<PointResult> done;
  for (;;) {
    const auto points = planned(experiment, device, {}, preset, done);
    std::set<std::string> known;
    for (const auto& result : done) known.insert(to_string(result.point));
    if (known.size() == points.size()) return points;
    for (const auto& point : points) {
      if (known.contains(to_string(point))) continue;
      Measurement measurement;
      const auto size = point.parameters.find("group_size");
      const double speed = size == point.parameters.end() ? 1 : static_cast<double>(std::get<std::int64_t>(size->second));
      measurement.statistics["gb_per_s"] = {speed, 0, speed, speed, 1};
      done.push_back({point, {}, measurement});
    }
  }
}

std::size_t with_role(const std::vector<Point>& points, const char* role) {
  std::size_t count = 0;
  for (const auto& point : points) {
    const auto found = point.parameters.find("role");
    count += found != point.parameters.end() && found->second == ParameterValue(role);
  }
  return count;
}

/// Points with separate compilations: they differ in more than groups, role and start of a chase.
std::size_t programs(const std::vector<Point>& points) {
  std::set<std::string> all;
  for (const auto& point : points) {
    auto parameters = point.parameters;
    parameters.erase("role");
    parameters.erase("groups_per_unit");
    parameters.erase("groups");
    parameters.erase("test");
    if (parameters.contains("form") && word(parameters, "form") == "chase") parameters.erase("stride");
    all.insert(to_string(parameters));
  }
  return all.size();
}

TEST_CASE("l1-bandwidth plan: plain loads of 4 bytes are tried with more of them to a pass of the loop, all else is not") {
  const auto loads = [](const char* path, const char* variant, const char* width, Preset preset) {
    std::set<std::int64_t> all;
    for (const Point& point :
         planned("l1-bandwidth", fake::gpu(), {{"path", path}, {"variant", variant}, {"width", width}}, preset))
      all.insert(integer(point.parameters, "loads"));
    return all;
  };
  CHECK(loads("global", "plain", "4", Preset::standard) == std::set<std::int64_t>{32, 128});
  CHECK(loads("global", "plain", "4", Preset::full) == std::set<std::int64_t>{32, 64, 128});
  CHECK(loads("global", "plain", "4", Preset::quick) == std::set<std::int64_t>{32});
  CHECK(loads("global", "plain", "8", Preset::standard) == std::set<std::int64_t>{32});
  CHECK(loads("global", "masked", "4", Preset::standard) == std::set<std::int64_t>{32});
  CHECK(loads("texture", "plain", "4", Preset::standard) == std::set<std::int64_t>{32});
}

TEST_CASE("l1-bandwidth plan: no more turns to a pass of the loop than the kernels can write out") {
  DeviceInfo wide = fake::gpu();
  wide.subgroup_sizes = {64};
  std::set<std::int64_t> passes;
  for (const DeviceInfo& device : {fake::gpu(), wide}) {
    for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) {
      for (const Point& point : planned("l1-bandwidth", device, {{"max_footprint", "128K"}}, preset))
        passes.insert(integer(point.parameters, "loads") / integer(point.parameters, "unroll"));
    }
  }
  CHECK(passes == std::set<std::int64_t>{1, 2, 4, 8, 16});
}

TEST_CASE("bandwidth plans: the whole matrix, then the best of each question, in few programs") {
  const DeviceInfo device = fake::gpu();
  for (const char* experiment : {"l1-bandwidth", "local-bandwidth"}) {
    CAPTURE(experiment);
    const std::size_t questions = std::string(experiment) == "l1-bandwidth" ? 6 : 3;
    const auto quick = carried_out(experiment, device, Preset::quick);
    CHECK(with_role(quick, "search") == 2 * questions);
    CHECK(with_role(quick, "best") == questions);
    CHECK(programs(quick) <= 13);
    const auto standard = carried_out(experiment, device, Preset::standard);
    CHECK(with_role(standard, "best") == 3 * questions);
    CHECK(programs(standard) <= 40);
    for (const auto& point : standard) CHECK_FALSE(find_experiment(experiment)->unsupported(device, point));
    const auto full = carried_out(experiment, device, Preset::full);
    // Texels of four short channels have two more.
    CHECK(with_role(full, "best") == 5 * (questions == 6 ? 8 : questions));
    CHECK(full.size() > standard.size());
  }
}

TEST_CASE("l1-bandwidth plan: texels of four short channels have 8 or 4 bytes") {
  std::set<std::pair<std::int64_t, std::int64_t>> found;
  for (const Point& point : planned("l1-bandwidth", fake::gpu(), {{"channel_bits", "16,8"}}, Preset::standard)) {
    CHECK(word(point.parameters, "path") == "texture");
    found.emplace(integer(point.parameters, "channel_bits"), integer(point.parameters, "width"));
  }
  CHECK(found == std::set<std::pair<std::int64_t, std::int64_t>>{{16, 8}, {8, 4}});
}

TEST_CASE("l1-bandwidth plan: float channels have 16 or 8 bits, beside all others") {
  using Channel = std::tuple<std::string, std::int64_t, std::int64_t, std::string>;
  const auto channels = [](std::map<std::string, std::string> set) {
    std::set<Channel> found;
    set["test"] = "peak";
    for (const Point& point : planned("l1-bandwidth", fake::gpu(), set, Preset::standard)) {
      CHECK_FALSE(find_experiment("l1-bandwidth")->unsupported(fake::gpu(), point));
      const bool is_float = point.parameters.contains("channel_type");
      if (is_float) CHECK(word(point.parameters, "channel_type") == "float");
      found.emplace(word(point.parameters, "path"), integer_or(point.parameters, "channel_bits", 32),
                    integer(point.parameters, "width"), is_float ? "float" : "uint");
    }
    return found;
  };
  const std::set<Channel> words{{"global", 32, 4, "uint"},  {"global", 32, 8, "uint"},  {"global", 32, 16, "uint"},
                                {"texture", 32, 4, "uint"}, {"texture", 32, 8, "uint"}, {"texture", 32, 16, "uint"}};
  const std::set<Channel> floats{{"texture", 16, 8, "float"}, {"texture", 8, 4, "float"}};
  CHECK(channels({}) == words);
  auto all = words;
  all.insert(floats.begin(), floats.end());
  CHECK(channels({{"channel_type", "float"}}) == all);
  CHECK(channels({{"channel_type", "float"}, {"channel_bits", "16,8"}}) == floats);
  auto short_channels = floats;
  short_channels.insert({{"texture", 16, 8, "uint"}, {"texture", 8, 4, "uint"}});
  CHECK(channels({{"channel_type", "uint,float"}, {"channel_bits", "16,8"}}) == short_channels);
}

TEST_CASE("l1-bandwidth: words and plain loads have no float channels") {
  const Point texel{"l1-bandwidth",
                    {{"path", std::string("texture")},
                     {"variant", std::string("plain")},
                     {"width", std::int64_t{4}},
                     {"footprint", std::int64_t{4096}},
                     {"channel_type", std::string("float")},
                     {"channel_bits", std::int64_t{8}},
                     {"unroll", std::int64_t{8}},
                     {"loads", std::int64_t{32}},
                     {"group_size", std::int64_t{64}},
                     {"groups_per_unit", std::int64_t{1}}}};
  const Experiment& l1 = *find_experiment("l1-bandwidth");
  CHECK_FALSE(l1.unsupported(fake::gpu(), texel));
  Point words = texel;
  words.parameters.erase("channel_bits");
  CHECK_WORDS("bandwidth.float-channels", l1.unsupported(fake::gpu(), words));
  Point plain = texel;
  plain.parameters["path"] = std::string("global");
  CHECK_WORDS("bandwidth.float-channels", l1.unsupported(fake::gpu(), plain));
}

TEST_CASE("bandwidth plans: first level, 4 KiB in as few loop turns as hold it") {
  const auto points = planned("l1-bandwidth", fake::gpu(), {{"path", "global"}}, Preset::quick);
  for (const auto& point : points) {
    CAPTURE(to_string(point));
    CHECK(integer(point.parameters, "footprint") == 4096);
    CHECK(integer(point.parameters, "unroll") * 32 * integer(point.parameters, "width") == 4096);
  }
  const auto swept =
      planned("l1-bandwidth", fake::gpu(), {{"path", "global"}, {"width", "16"}, {"max_footprint", "16K"}}, Preset::quick);
  std::set<std::int64_t> footprints;
  for (const auto& point : swept) footprints.insert(integer(point.parameters, "footprint"));
  CHECK(footprints == std::set<std::int64_t>{4096, 8192, 16384});
  CHECK_THROWS_WORDS("l1-bandwidth.footprint-multiple", UsageError,
                     planned("l1-bandwidth", fake::gpu(), {{"footprint", "5000"}}, Preset::quick));
  CHECK_THROWS_WORDS("l1-bandwidth.max-below-footprint", UsageError,
                     planned("l1-bandwidth", fake::gpu(), {{"max_footprint", "2K"}}, Preset::quick));
}

TEST_CASE("bandwidth plans: the widest load on 1, 2, 4 ... and all units, with one shape of work-group") {
  DeviceInfo device = fake::gpu();
  device.units->value = 6;
  const auto groups = [&](const char* experiment, const Set& set, Preset preset) {
    std::vector<std::int64_t> all;
    for (const Point& point : planned(experiment, device, set, preset)) {
      if (!point.parameters.contains("test")) continue;
      CAPTURE(to_string(point));
      CHECK(word(point.parameters, "test") == "units");
      CHECK(integer(point.parameters, "group_size") == 1024);
      CHECK(integer(point.parameters, "width") == 16);
      CHECK_FALSE(point.parameters.contains("groups_per_unit"));
      CHECK_FALSE(find_experiment(experiment)->unsupported(device, point));
      all.push_back(integer(point.parameters, "groups"));
    }
    return all;
  };
  using Groups = std::vector<std::int64_t>;
  CHECK(groups("l1-bandwidth", {}, Preset::standard) == Groups{1, 2, 4, 6, 1, 2, 4, 6});
  CHECK(groups("l1-bandwidth", {{"path", "global"}, {"width", "16,4"}}, Preset::full) == Groups{1, 2, 3, 4, 5, 6});
  CHECK(groups("local-bandwidth", {}, Preset::standard) == Groups{1, 2, 4, 6});
  for (const char* experiment : {"l1-bandwidth", "local-bandwidth"}) {
    CHECK(groups(experiment, {}, Preset::quick).empty());
    CHECK(groups(experiment, {{"test", "peak"}}, Preset::full).empty());
    CHECK_FALSE(groups(experiment, {{"test", "units"}}, Preset::quick).empty());
    const auto some = planned(experiment, device, {{"test", "units"}}, Preset::standard);
    CHECK(some.size() == groups(experiment, {{"test", "units"}}, Preset::standard).size());
  }
  CHECK(groups("local-bandwidth", {{"form", "strided"}}, Preset::standard).empty());
  CHECK_THROWS_WORDS("local-bandwidth.units-need-sweep", UsageError,
                     planned("local-bandwidth", device, {{"form", "chase"}, {"test", "units"}}, Preset::standard));
}

TEST_CASE("bandwidth plans: strides of local memory") {
  const auto points = planned("local-bandwidth", fake::gpu(), {{"form", "chase"}, {"stride", "7"}}, Preset::standard);
  REQUIRE(points.size() == 1);
  CHECK(points[0].parameters == Parameters{{"form", "chase"}, {"stride", std::int64_t{7}}, {"width", std::int64_t{4}}});
  CHECK(planned("local-bandwidth", fake::gpu(), {{"form", "strided"}}, Preset::full).size() == 64);
  CHECK_THROWS_WORDS("local-bandwidth.stride-limit", UsageError,
                     planned("local-bandwidth", fake::gpu(), {{"stride", "65"}}, Preset::quick));
}

TEST_CASE("bandwidth plans: a reason that no configuration changes is given once") {
  DeviceInfo device = fake::gpu();
  device.max_texel_elements = 0;
  const auto points = planned("l1-bandwidth", device, {{"path", "texture"}, {"width", "4"}}, Preset::standard);
  REQUIRE(points.size() == 1);
  CHECK_WORDS("device.no-textures", find_experiment("l1-bandwidth")->unsupported(device, points[0]));
  device = fake::gpu();
  device.local_memory_bytes = 0;
  CHECK(planned("local-bandwidth", device, {{"form", "sweep"}, {"width", "4"}}, Preset::standard).size() == 1);
  CHECK(planned("local-bandwidth", device, {{"test", "units"}, {"form", "sweep"}}, Preset::standard).size() == 1);
}

TEST_CASE("bandwidth plans: an unsupported point has a reason") {
  const UnitBandwidth plain;
  const auto reason = [](const DeviceInfo& device, const UnitBandwidth& work) {
    return unit_bandwidth_unsupported(device, work).value_or("supported");
  };
  DeviceInfo device = fake::gpu(Api::vulkan);
  CHECK(reason(device, plain) == "supported");
  device.int64 = false;
  CHECK(reason(device, plain) == "supported");  // a unit's own memory is within 32-bit offsets
  device.buffer_addresses = false;
  CHECK_WORDS("device.no-buffer-addresses", reason(device, plain));
  device = fake::gpu();
  CHECK_WORDS("bandwidth.mask-rows", reason(device, {.form = "masked", .rows = 12}));
  CHECK_WORDS("device.group-size-1024", reason(device, {.group_size = 2048}));
  CHECK_WORDS("device.groups-65535", reason(device, {.groups_per_unit = 1 << 20}));
  CHECK_WORDS("bandwidth.region-limit", reason(device, {.rows = 1 << 20}));
  CHECK_WORDS("bandwidth.local-region", reason(device, {.path = "local", .rows = 128, .unroll = 32}));
  CHECK(reason(device, {.path = "texture", .rows = 1 << 15}) == "supported");
  device.max_texel_elements = 65536;
  CHECK_WORDS("device.texels-65536", reason(device, {.path = "texture", .rows = 1 << 15}));
  CHECK_WORDS("device.fixed-subgroup-size", reason(device, {.subgroup_size = 32}));
  device.subgroup_size_control = true;
  CHECK(reason(device, {.subgroup_size = 32}) == "supported");
  CHECK_WORDS("device.no-subgroup-size-8", reason(device, {.subgroup_size = 8}));
}

TEST_CASE("bandwidth plans: groups for every unit, for 32 if the number is unknown; shapes that fit") {
  DeviceInfo device = fake::gpu();
  CHECK(group_count(device, {.groups_per_unit = 3}) == 12);
  CHECK(group_count(device, {.groups_per_unit = 3, .groups = 5}) == 5);
  device.units.reset();
  CHECK(group_count(device, {.groups_per_unit = 3}) == 96);
  CHECK(group_count(device, {.path = "local", .form = "chase"}) == 1);
  device.max_group_size = 128;
  const auto shapes = possible_shapes(device, {{256, 2}, {128, 4}, {1024, 1}});
  REQUIRE(shapes.size() == 1);
  CHECK(shapes[0].group_size == 128);
  const auto largest = possible_shapes(device, {{256, 2}});
  REQUIRE(largest.size() == 1);
  CHECK(largest[0].group_size == 128);
  device.subgroup_sizes = {8};
  CHECK(row_lanes(device) == 32);
  device.subgroup_sizes = {32, 64};
  CHECK(row_lanes(device) == 64);
  device.subgroup_sizes = {1, 512};
  CHECK(row_lanes(device) == 64);
  CHECK(possible_unrolls(24, 4) == std::vector<std::uint32_t>{8, 4});
  CHECK(possible_unrolls(64, 2) == std::vector<std::uint32_t>{32, 16});
}

}  // namespace
}  // namespace percycle::bandwidth_plan_test

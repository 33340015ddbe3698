#include "expected/instruction_stream.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/schedulers.hpp"
#include "charts/report_charts.hpp"
#include "check_words.hpp"
#include "core/configuration.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "report/report_data.hpp"
#include "report/scheduler_text.hpp"
#include "sim/operation_costs.hpp"
#include "sim/run_model.hpp"
#include "sim/sim.hpp"
#include "unit/store_examples.hpp"

namespace percycle::instruction_stream_test {
namespace {

bool is_normal_half(std::uint64_t bits) {
  const std::uint64_t exponent = (bits >> 10) & 0x1fu;
  return (exponent > 0 && exponent < 31) || (bits & 0x7fffu) == 0;
}

bool is_normal_or_zero(ChainType type, std::uint64_t bits) {
  const auto fits = [](auto value) { return std::isnormal(value) || value == 0; };
  switch (type) {
    case ChainType::fp32:
      return fits(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ChainType::fp64:
      return fits(std::bit_cast<double>(bits));
    case ChainType::fp16:
      return is_normal_half(bits);
    case ChainType::fp16x2:
      return is_normal_half(bits) && is_normal_half(bits >> 16);
    case ChainType::bf16:
      return fits(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
    case ChainType::bf16x2:
      return is_normal_or_zero(ChainType::bf16, bits & 0xffffu) && is_normal_or_zero(ChainType::bf16, bits >> 16);
    default:
      return true;
  }
}

ChainRun run_of(const ChainOperation& chain, std::uint64_t loops, std::uint32_t start) {
  return {.loops = loops,
          .pairs = chain.pairs,
          .start = start,
          .neighbour_start = start + 1,
          .lanes = 32,
          .mask = chain.is_exact() ? UINT32_MAX : 0,
          .even_operand = chain.even_operand,
          .odd_operand = chain.odd_operand};
}

/// Operations that have a latency only.
bool has_latency_only(const ChainOperation& operation) {
  return operation.name == "barrier" || operation.name == "clock-read" || operation.name == "fp16-min" ||
         operation.name == "fp16-max";
}

TEST_CASE("instruction stream: names tell operations apart; all of the chains but a few are among them") {
  std::set<std::string> names;
  for (const StreamOperation& operation : stream_operations()) {
    CHECK(names.insert(operation.chain.name).second);
    CHECK(find_stream_operation(operation.chain.name) == &operation);
    CHECK(std::has_single_bit(operation.chain.pairs));
  }
  for (const ChainOperation& operation : chain_operations()) CHECK(names.contains(operation.name) != has_latency_only(operation));
  CHECK(find_stream_operation("int32-nosuch") == nullptr);
}

TEST_CASE("instruction stream: lasting chains stay normal and do not settle") {
  for (const StreamOperation& operation : stream_operations()) {
    if (!operation.lasting) continue;
    const ChainOperation& chain = operation.chain;
    CAPTURE(chain.name);
    for (const std::uint32_t start : {0x2545f491u, 0x2545f492u}) {
      auto [x, y] = chain_begin(chain, start);
      int same = 0;
      int abnormal = 0;
      for (std::uint32_t i = 0; i < 1u << 19; ++i) {
        const std::uint64_t value = chain.expression.step(x, y, i % 2 == 0 ? chain.even_operand : chain.odd_operand);
        same += value == x || value == y ? 1 : 0;
        abnormal += is_normal_or_zero(chain.type, value) ? 0 : 1;
        y = std::exchange(x, value);
      }
      CHECK(same < 1000);  // by chance: fp16
      CHECK(abnormal == 0);
    }
  }
}

TEST_CASE("instruction stream: chains that begin anew stay normal in the longest turn") {
  for (const StreamOperation& operation : stream_operations()) {
    const ChainOperation& chain = operation.chain;
    if (operation.lasting || chain.is_of_subgroup()) continue;
    CAPTURE(chain.name);
    int abnormal = 0;
    for (std::uint32_t hash = 1; hash < 0xf0000000u; hash += 0x01234567u) {
      auto [x, y] = chain_begin(chain, hash);
      for (std::uint32_t i = 0; i < 16 * std::min(chain.pairs, 32u); ++i) {
        const std::uint64_t value = chain.expression.step(x, y, i % 2 == 0 ? chain.even_operand : chain.odd_operand);
        abnormal += is_normal_or_zero(chain.type, value) ? 0 : 1;
        y = std::exchange(x, value);
      }
    }
    CHECK(abnormal == 0);
  }
}

TEST_CASE("instruction stream: a turn that is left out changes the result, a chain that is left out, too") {
  for (const StreamOperation& operation : stream_operations()) {
    const ChainOperation& chain = operation.chain;
    CAPTURE(chain.name);
    const auto end = [&](std::uint64_t loops) { return stream_end(operation, chain.expression, run_of(chain, loops, 1)); };
    CHECK(end(100).word != end(99).word);
    CHECK(end(1).word != end(0).word);
    CHECK((end(7).number != 0) == !chain.is_exact());
    CHECK(lane_end({end(5), end(6)}).word != lane_end({end(6), end(5)}).word);
    CHECK(lane_end({end(5), end(6)}).word == end(5).word + 3 * end(6).word);
  }
}

TEST_CASE("instruction stream: a uniform operation runs in all subgroups, from parameters") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  const Experiment& rates = *find_experiment("arithmetic-throughput");
  const Experiment* const list = &rates;
  const auto set = std::map<std::string, std::string>{{"operation", "int32-add-uniform,int32-add-uniform+fp32-fma"}};
  const auto points = rates.plan(script.info, make_options({&list, 1}, set, Preset::standard, 1).front(), {});
  const std::uint32_t full = 1024 / script.info.subgroup_sizes.back();
  REQUIRE_FALSE(points.empty());
  fake::FakeDevice device(script);
  for (const Point& point : points) {
    CAPTURE(to_string(point));
    CHECK(number(point, "subgroups") % full == 0);
    const Trial trial = rates.prepare(device, point, 1);
    CHECK(trial.timed.dispatch.parameters.at("subgroups") == full);
  }
}

TEST_CASE("instruction stream: no number of turns of small integers looks like none") {
  const std::set small{ChainType::int8, ChainType::int16, ChainType::int16x2};
  for (const StreamOperation& operation : stream_operations()) {
    if (!small.contains(operation.chain.type)) continue;
    CAPTURE(operation.chain.name);
    for (const std::uint32_t factor : {1u, 2u, 4u, 8u}) {
      ChainRun run = run_of(operation.chain, 0, 0x2545f491u);
      run.pairs *= factor;
      const std::uint32_t none = stream_end(operation, operation.chain.expression, run).word;
      int same = 0;
      for (run.loops = 1; run.loops <= 40; ++run.loops)
        same += stream_end(operation, operation.chain.expression, run).word == none ? 1 : 0;
      CHECK(same == 0);
    }
  }
}

TEST_CASE("instruction stream: on a simulated unit the slowest scheduler decides") {
  const sim::Model model = sim::load_model("t4");
  const auto cycles = [&](std::vector<std::uint32_t> subgroups, std::uint32_t chains, const char* name,
                          const char* partner = "") {
    const std::vector<sim::OperationStream> streams{
        {.group = 3, .subgroups = std::move(subgroups), .chains = chains, .steps = 100, .name = name, .partner = partner}};
    const auto busy = sim::operation_stream_cycles(model, streams);
    CHECK(busy[0] == 0);
    return busy[3];
  };
  // 16 lanes of a scheduler take two cycles for a subgroup's operation; the latency is 4.
  CHECK(cycles({0}, 1, "fp32-fma") == 400);
  CHECK(cycles({0}, 2, "fp32-fma") == 400);
  CHECK(cycles({0}, 4, "fp32-fma") == 800);
  CHECK(cycles({0, 1, 2, 3}, 4, "fp32-fma") == 800);
  CHECK(cycles({0, 4}, 4, "fp32-fma") == 1600);
  CHECK(cycles({0, 5}, 4, "fp32-fma") == 800);
  // Forms of a multiply-add cost the same.
  CHECK(cycles({0}, 4, "fp32-fma-xyz") == 800);
  CHECK(cycles({0}, 4, "fp32-fma-xxx") == 800);
  // Both results of a step count.
  CHECK(cycles({0}, 8, "fp16x2-fma") == 1600);
  // Side by side, one after the other begun.
  CHECK(cycles({0}, 8, "fp32-fma", "int32-add") == 1600);
  CHECK(cycles({0}, 8, "fp32-fma", "fp32-rsqrt-fast") == 6400);
}

/// "chains width subgroups" of the points that a device searches; width 1 has no vectors.
std::set<std::string> searched(const DeviceInfo& device, Preset preset, const char* operation, const char* optimize = "on") {
  const Experiment& experiment = *find_experiment("arithmetic-throughput");
  const std::map<std::string, std::string> settings{{"operation", operation}, {"optimize", optimize}};
  std::set<std::string> found;
  for (const Point& point : experiment.plan(device, make_options(std::vector{&experiment}, settings, preset, 1).front(), {})) {
    found.insert(fmt::format("{} {} {}", integer(point.parameters, "chains"), integer_or(point.parameters, "width", 1),
                             integer(point.parameters, "subgroups")));
  }
  return found;
}

TEST_CASE("instruction stream: the search has vectors of 2 and 4 numbers in its fullest configurations") {
  const DeviceInfo device = fake::gpu(Api::vulkan);
  const auto all = searched(device, Preset::standard, "fp32-fma");
  std::set<std::string> vectors;
  for (const std::string& one : all) {
    if (!one.starts_with("8 1 ") && one.starts_with("8 ")) vectors.insert(one);
  }
  CHECK(vectors == std::set<std::string>{"8 2 32", "8 4 32"});
  CHECK(all.size() == 4 * 7 + vectors.size());
  for (const char* scalar : {"fp32-rsqrt-fast", "int32-popc", "fp32-fma+int32-add"})
    CHECK(searched(device, Preset::standard, scalar).size() == 4 * 7);
  CHECK(searched(device, Preset::standard, "fp32-fma", "off").size() == 4 * 7);
  CHECK(searched(device, Preset::quick, "fp32-fma").size() == 4);
  CHECK(searched(device, Preset::full, "fp32-fma").size() == 4 * 7 + 4);
  DeviceInfo model = device;
  model.api = Api::sim;
  CHECK(searched(model, Preset::standard, "fp32-fma").size() == 4 * 7);
}

TEST_CASE("instruction stream: a vector changes the kernel and the fewest instructions, not the results") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  fake::FakeDevice device(script);
  const auto trial_of = [&](std::int64_t width) {
    Point point{"arithmetic-throughput",
                {{"operation", std::string("int32-add")}, {"chains", std::int64_t{8}}, {"subgroups", std::int64_t{32}}}};
    if (width > 1) point.parameters["width"] = width;
    return find_experiment("arithmetic-throughput")->prepare(device, point, 1);
  };
  const auto definitions = [](const Trial& trial) {
    return dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc.definitions;
  };
  const Trial scalar = trial_of(1);
  const Trial vector = trial_of(4);
  CHECK_FALSE(definitions(scalar).contains("WIDTH"));
  CHECK(definitions(vector).at("WIDTH") == "4");
  CHECK(vector.timed.ops_per_loop == scalar.timed.ops_per_loop);
  CHECK(scalar.timed.arithmetic->least_instructions() == 512);
  CHECK(vector.timed.arithmetic->least_instructions() == 128);
  CHECK_WORDS("instruction-stream.body", vector.timed.arithmetic->name);
}

TEST_CASE("instruction stream: every lane of every work-group is checked") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  fake::FakeDevice device(script);
  const Point point{"arithmetic-throughput",
                    {{"operation", std::string("int32-add")}, {"chains", std::int64_t{1}}, {"subgroups", std::int64_t{64}}}};
  const Trial trial = find_experiment("arithmetic-throughput")->prepare(device, point, 1);
  const StreamOperation& operation = *find_stream_operation("int32-add");
  constexpr std::uint64_t kTurns = 2;
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < trial.timed.dispatch.groups * 1024; ++lane) {
    ChainRun run = run_of(operation.chain, kTurns, 0x2545f491u + lane % 2);
    run.pairs = static_cast<std::uint32_t>(trial.timed.arithmetic->count / 2);
    words.push_back(lane_end({stream_end(operation, operation.chain.expression, run)}).word);
    words.push_back(0);
  }
  Buffer& out = *trial.timed.dispatch.bindings[2].buffer;
  REQUIRE(out.bytes() == words.size() * sizeof(std::uint32_t));
  const auto reason = [&] {
    device.write(out, 0, std::as_bytes(std::span(words)), HostMemory::pageable);
    return trial.timed.verify(device, kTurns).reason;
  };
  CHECK(reason().empty());
  for (const std::size_t lane : {8191u, 3077u, 17u}) {
    words[2 * lane] ^= 1u;
    CHECK(reason().starts_with(fmt::format("invocation {} ended with ", lane)));
  }
}

PointRecord rate_of(std::int64_t chains, std::int64_t width, double rate) {
  Point point{
      "arithmetic-throughput",
      {{"operation", std::string("fp32-fma")}, {"chains", chains}, {"subgroups", std::int64_t{32}}, {kRole, kSearchRole}}};
  if (width > 1) point.parameters["width"] = width;
  Measurement measurement;
  measurement.statistics["ops_per_unit_cycle"] = {rate, 0, rate, rate, 1};
  return {"0123456789abcdef", {point, {Status::ok, ""}, std::move(measurement)}};
}

TEST_CASE("instruction stream: the table of chains and subgroups has no vectors") {
  LoadedFile file;
  file.headers = {examples::header()};
  file.entries = {rate_of(4, 1, 101), rate_of(8, 1, 102), rate_of(8, 2, 103), rate_of(8, 4, 104)};
  ReportCollector collector(limits_catalogue());
  collector.add(file);
  const ReportData data = collector.finish();
  std::size_t tables = 0;
  for (const Chart& chart : ReportCharts(data).of_experiment("arithmetic-throughput")) {
    if (!chart.name.starts_with("parallelism")) continue;
    ++tables;
    const std::string drawn = chart.spec.dump();
    for (const char* scalar : {"101.0", "102.0"}) CHECK(drawn.find(scalar) != std::string::npos);
    for (const char* vector : {"103.0", "104.0"}) CHECK(drawn.find(vector) == std::string::npos);
  }
  CHECK(tables == 1);
}

TEST_CASE("instruction stream: operations with vectors are known, and their chains last") {
  DeviceInfo device = fake::gpu(Api::vulkan);
  device.fp64 = true;
  std::size_t count = 0;
  for (const StreamOperation& operation : stream_operations()) {
    if (searched(device, Preset::standard, operation.chain.name.c_str()).size() <= 4 * 7) continue;
    CHECK(operation.lasting);
    ++count;
  }
  CHECK(count == 12);
}

std::vector<SubgroupPair> pairs_of(std::uint32_t subgroups, double alone, double (*rate)(std::uint32_t, std::uint32_t)) {
  std::vector<SubgroupPair> pairs{{0, 0, alone}};
  for (std::uint32_t a = 0; a < subgroups; ++a) {
    for (std::uint32_t b = a + 1; b < subgroups; ++b) pairs.push_back({a, b, rate(a, b)});
  }
  return pairs;
}

TEST_CASE("schedulers: groups, one for all, one for each, and unknown") {
  const auto halves = pairs_of(8, 20, [](std::uint32_t a, std::uint32_t b) { return a / 4 == b / 4 ? 21.0 : 39.0; });
  CHECK_WORDS("schedulers.two", scheduler_sentence(halves));
  CHECK_FALSE(scheduler_groups(halves)->is_modulo);
  CHECK(scheduler_sentence(pairs_of(4, 20, [](std::uint32_t, std::uint32_t) { return 20.5; })) == "1 scheduler");
  CHECK_WORDS("schedulers.four-or-more", scheduler_sentence(pairs_of(4, 20, [](std::uint32_t, std::uint32_t) { return 39.5; })));
  CHECK_FALSE(scheduler_groups(pairs_of(4, 20, [](std::uint32_t, std::uint32_t) { return 30.0; })));
  // 0 shares with 1 and 1 with 2, but not 0 with 2.
  CHECK_FALSE(scheduler_groups(pairs_of(3, 20, [](std::uint32_t a, std::uint32_t b) { return b - a == 1 ? 20.0 : 40.0; })));
  CHECK_FALSE(scheduler_groups({}));
  CHECK_FALSE(scheduler_groups({{0, 0, 20}}));
}

TEST_CASE("schedulers: the T4 report's table, which has pairs of the first and the last four alone") {
  const double rates[4][4] = {
      {48.9, 72.4, 72.5, 73.1}, {73.4, 46.7, 72.5, 73.1}, {73.2, 72.8, 47.0, 73.2}, {72.9, 72.7, 72.7, 46.2}};
  std::vector<SubgroupPair> pairs;
  for (std::uint32_t b = 0; b < 4; ++b) {
    for (std::uint32_t a = 0; a < 4; ++a) pairs.push_back({a, 4 + b, rates[b][a]});
  }
  CHECK_WORDS("schedulers.four-by-modulo", scheduler_sentence(pairs));
}

}  // namespace
}  // namespace percycle::instruction_stream_test

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "device/opencl/matrix_shapes.hpp"
#include "expected/matrix_stream.hpp"
#include "experiments/arithmetic/parts/matrix_stream.hpp"
#include "fake_device.hpp"
#include "store/record_json.hpp"

namespace percycle::matrix_throughput_test {
namespace {

/// "FP16-FP32 16x8x16" of every program, and the subgroup size if it is required.
std::set<std::string> products(Api api, const char* kind) {
  std::set<std::string> found;
  for (const KernelVariant& variant : kernel_variants(imagined_gpu(api, kind), {find_experiment("matrix-throughput")})) {
    const auto& desc = variant.desc;
    if (desc.name != "matrix_stream") continue;
    const auto is = [&](const char* name) { return desc.definitions.at(name); };
    found.insert(fmt::format("{}-{} {}x{}x{}{}", is("FACTORS"), is("SUMS"), is("ROWS"), is("COLUMNS"), is("DEPTH"),
                             desc.subgroup_size ? fmt::format(" subgroup {}", *desc.subgroup_size) : ""));
  }
  return found;
}

/// A GPU with a product of a subgroup and one of a work-group.
DeviceInfo gpu_with_products() {
  DeviceInfo info = fake::gpu(Api::vulkan);
  info.matrix_shapes = {{.rows = 16, .columns = 16, .depth = 16, .factors = "fp16", .sums = "fp32"},
                        {.rows = 128, .columns = 128, .depth = 32, .factors = "fp16", .sums = "fp32", .invocations = 128}};
  return info;
}

TEST_CASE("instruction latency: a product of matrices waits for the sum of the last one") {
  fake::Script script;
  script.info = gpu_with_products();
  const Experiment& latency = *find_experiment("instruction-latency");
  const Experiment* const list = &latency;
  const Options options = make_options({&list, 1}, {{"operation", "matrix"}}, Preset::quick, 1).front();
  const std::vector<Point> points = latency.plan(script.info, options, {});
  REQUIRE(points.size() == 1);
  CHECK(to_string(points.front()) == "instruction-latency class=Matrix Product instruction=fp16-fp32 16x16x16");
  CHECK_FALSE(latency.unsupported(script.info, points.front()));
  fake::FakeDevice device(script);
  const Trial trial = latency.prepare(device, points.front(), 1);
  CHECK(trial.timed.ops_per_loop == 64);  // products of a turn
  CHECK_FALSE(trial.participants);        // the main figure is a time
  CHECK(trial.timed.dispatch.groups == script.info.units->value);

  script.info.matrix_shapes.clear();
  const std::vector<Point> none = latency.plan(script.info, options, {});
  REQUIRE(none.size() == 1);
  CHECK(latency.unsupported(script.info, none.front()).value().starts_with("the driver offers no cooperative matrices"));
}

TEST_CASE("matrix throughput: every type has its product") {
  CHECK(products(Api::opencl, "nvidia") == std::set<std::string>{"BF16-FP32 16x8x16", "FP16-FP16 16x8x16", "FP16-FP32 16x8x16",
                                                                 "FP64-FP64 8x8x4", "FP64-FP64 16x8x4", "FP64-FP64 16x8x8",
                                                                 "FP64-FP64 16x8x16", "SINT8-SINT32 16x8x32", "TF32-FP32 16x8x8",
                                                                 "UINT8-UINT32 16x8x32"});
  CHECK(products(Api::vulkan, "nvidia") == std::set<std::string>{"BF16-FP32 16x16x16", "FP16-FP16 16x16x16", "FP16-FP32 16x16x16",
                                                                 "FP16-FP32 128x128x32", "FP8_E4M3-FP32 16x16x32",
                                                                 "SINT8-SINT32 16x16x32", "UINT8-UINT32 16x16x32"});
  CHECK(products(Api::opencl, "gcn").empty());
}

TEST_CASE("matrix throughput: a lane of Intel's OpenCL has one column, so subgroups have as many lanes") {
  CHECK(products(Api::opencl, "xe") == std::set<std::string>{"BF16-FP32 8x8x16 subgroup 8", "FP16-FP32 8x8x16 subgroup 8",
                                                             "SINT8-SINT32 8x8x32 subgroup 8", "UINT8-UINT32 8x8x32 subgroup 8"});
}

TEST_CASE("matrix throughput: records accept every product of OpenCL, and a kernel has it") {
  DeviceInfo nvidia = imagined_gpu(Api::opencl, "nvidia");
  DeviceInfo intel = imagined_gpu(Api::opencl, "xe");
  nvidia.matrix_shapes = opencl::ptx_matrix_shapes(89);
  intel.matrix_shapes = opencl::intel_matrix_shapes(8);
  CHECK(nvidia.matrix_shapes.size() == 9);
  CHECK(intel.matrix_shapes.size() == 4);
  CHECK(opencl::ptx_matrix_shapes(80).size() == 7);
  CHECK(opencl::ptx_matrix_shapes(90).size() == 10);
  CHECK(opencl::ptx_matrix_shapes(75).empty());
  for (const DeviceInfo& device : {nvidia, intel}) {
    DeviceInfo plain;
    plain.matrix_shapes = device.matrix_shapes;
    CHECK(from_json<DeviceInfo>(to_json(plain)).matrix_shapes == device.matrix_shapes);
    for (const MatrixShape& shape : device.matrix_shapes) {
      const auto size = matrix_subgroup_size(device, shape);
      CHECK(matrix_stream_unsupported(device, {.shape = shape, .subgroup_size = size}) == std::nullopt);
    }
  }
}

/// An invented GPU of 4 units with these products, subgroups of 32.
DeviceInfo gpu_with(std::vector<MatrixShape> shapes) {
  DeviceInfo info = fake::gpu(Api::vulkan);
  info.matrix_shapes = std::move(shapes);
  return info;
}

fake::Script with_info(const DeviceInfo& info) {
  fake::Script script;
  script.info = info;
  return script;
}

std::vector<Point> planned(const DeviceInfo& device, Preset preset) {
  const Experiment& experiment = *find_experiment("matrix-throughput");
  return experiment.plan(device, make_options(std::vector{&experiment}, {}, preset, 1).front(), {});
}

/// "chains subgroups" of the points in this scope; "" for subgroups.
std::set<std::string> parallelism(const DeviceInfo& device, Preset preset, const std::string& scope) {
  std::set<std::string> found;
  for (const Point& point : planned(device, preset)) {
    const std::string* own = find_word(point.parameters, "scope");
    if ((own == nullptr ? "" : *own) != scope) continue;
    CHECK_FALSE(find_experiment("matrix-throughput")->unsupported(device, point));
    found.insert(fmt::format("{} {}", integer(point.parameters, "chains"), integer(point.parameters, "subgroups")));
  }
  return found;
}

const KernelDesc& kernel_of(const Trial& trial) { return dynamic_cast<fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc; }

TEST_CASE("matrix throughput: a work-group that multiplies together has one sum, on one to four work-groups") {
  const DeviceInfo device = imagined_gpu(Api::vulkan, "nvidia");
  CHECK(parallelism(device, Preset::standard, "work-group-256") == std::set<std::string>{"1 8", "1 16", "1 32"});
  CHECK(parallelism(device, Preset::quick, "work-group-256") == std::set<std::string>{"1 16"});
  CHECK(parallelism(device, Preset::quick, "") == std::set<std::string>{"4 16"});
  for (const Point& point : planned(device, Preset::standard)) {
    if (!point.parameters.contains("scope")) continue;
    CHECK(word(point.parameters, "shape") == "128x128x32");
    CHECK(word(point.parameters, "type") == "fp16-fp32");
  }
  DeviceInfo plain;
  plain.matrix_shapes = device.matrix_shapes;
  CHECK(from_json<DeviceInfo>(to_json(plain)).matrix_shapes == device.matrix_shapes);
}

TEST_CASE("matrix throughput: products of equal sizes by a subgroup and by a work-group are two questions") {
  const DeviceInfo info =
      gpu_with({{32, 32, 32, "fp16", "fp32"}, {32, 32, 32, "fp16", "fp32", 64}, {32, 32, 32, "fp16", "fp32", 128}});
  fake::FakeDevice device(with_info(info));
  std::map<std::string, std::set<std::uint32_t>> sizes;
  for (const Point& point : planned(info, Preset::standard)) {
    const Trial trial = find_experiment("matrix-throughput")->prepare(device, point, 1);
    const KernelDesc& desc = kernel_of(trial);
    const std::string* scope = find_word(point.parameters, "scope");
    CHECK(desc.definitions.contains("BY_WORK_GROUP") == (scope != nullptr));
    sizes[scope == nullptr ? "" : *scope].insert(desc.local_size);
  }
  CHECK(sizes == std::map<std::string, std::set<std::uint32_t>>{{"", {512}}, {"work-group-64", {64}}, {"work-group-128", {128}}});
}

TEST_CASE("matrix throughput: products without a kernel say why") {
  const auto reason = [](const MatrixStream& stream, const DeviceInfo& device) {
    return matrix_stream_unsupported(device, stream).value_or("");
  };
  const DeviceInfo device = gpu_with({});
  const MatrixShape together{16, 16, 16, "fp16", "fp32", 64};
  CHECK(reason({.shape = together, .group_size = 64}, device).empty());
  CHECK_WORDS("matrix.group-size-64", reason({.shape = together, .group_size = 32}, device));
  CHECK_WORDS("matrix.depth", reason({.shape = {16, 16, 6, "fp16", "fp32"}}, device));
  CHECK_WORDS("matrix.types", reason({.shape = {16, 16, 16, "fp16", "sint32"}}, device));
  CHECK_WORDS("device.group-size-1024", reason({.shape = {16, 16, 16, "fp16", "fp32", 2048}, .group_size = 2048}, device));
  DeviceInfo few = device;
  few.max_groups = 7;
  CHECK(reason({.shape = together, .subgroups = 2, .group_size = 64}, few).empty());
  CHECK_WORDS("device.groups-7", reason({.shape = together, .subgroups = 4, .group_size = 64}, few));
  // Half a subgroup cannot be a work-group of whole subgroups.
  const DeviceInfo halves = gpu_with({{16, 16, 16, "fp16", "fp32", 16}});
  const std::vector<Point> points = planned(halves, Preset::standard);
  REQUIRE(points.size() == 1);
  CHECK_WORDS("matrix.group-size-16", find_experiment("matrix-throughput")->unsupported(halves, points.front()));
}

/// A prepared stream of products, with the results that its kernel should leave.
struct Prepared {
  Trial trial;
  std::vector<float> results;  ///< after `turns`
};

constexpr std::uint64_t kTurns = 3;

/// The kernel has `tiles` results in each work-group, of which the first `running` changed.
Prepared prepared(fake::FakeDevice& device, const MatrixStream& stream, std::uint32_t tiles, std::uint32_t running,
                  std::uint32_t pairs) {
  Prepared made{.trial = matrix_stream_trial(device, stream), .results = {}};
  const MatrixFactors factors = matrix_factors(stream.shape.rows, stream.shape.columns, stream.shape.depth, {});
  for (std::uint32_t tile = 0; tile < made.trial.timed.dispatch.groups * tiles; ++tile) {
    for (const double number : matrix_results(factors, stream.chains, tile % tiles < running ? kTurns : 0, pairs))
      made.results.push_back(static_cast<float>(number));
  }
  return made;
}

Outcome verified(fake::FakeDevice& device, const Prepared& made) {
  device.write(*made.trial.timed.dispatch.bindings[1].buffer, 0, std::as_bytes(std::span(made.results)), HostMemory::pageable);
  return made.trial.timed.verify(device, kTurns);
}

TEST_CASE("matrix throughput: a work-group that multiplies together has one result, and its lanes share the work") {
  fake::FakeDevice device(with_info(gpu_with({})));
  // 8 subgroups of a unit are 4 work-groups of 64.
  const MatrixStream stream{.shape = {16, 8, 32, "fp16", "fp32", 64}, .subgroups = 8, .group_size = 64};
  Prepared made = prepared(device, stream, 1, 1, 4);
  const LoopedDispatch& timed = made.trial.timed;
  CHECK(timed.dispatch.groups == 4 * 4);
  CHECK(timed.dispatch.bindings[1].buffer->bytes() == 16 * 16 * 8 * sizeof(float));
  // 8 products of a turn, a multiply-add is two operations, 64 lanes.
  CHECK(timed.ops_per_loop == 8 * 2 * 16 * 8 * 32 / 64);
  CHECK(timed.arithmetic->count == 8);
  CHECK(made.trial.participants->dispatch == 16 * 64);
  CHECK(made.trial.participants->group == 64);
  CHECK(kernel_of(made.trial).definitions.at("PAIRS") == "4");
  // Sums grow by 3 in each pair, and a product may change them by some thousands in between.
  CHECK(timed.max_loops == ((1u << 24) - (1u << 12)) / (4 * 3));
  CHECK(verified(device, made).status == Status::ok);
  made.results[9 * 128 + 5] += 1;
  CHECK(verified(device, made).reason.starts_with("element 5 of result 9 is "));
}

TEST_CASE("matrix throughput: each subgroup has a result, and those that wait keep theirs") {
  fake::FakeDevice device(with_info(gpu_with({})));
  const MatrixStream stream{.shape = {16, 8, 16, "fp16", "fp32"}, .chains = 2, .subgroups = 4, .group_size = 256};
  Prepared made = prepared(device, stream, 8, 4, 16);
  const LoopedDispatch& timed = made.trial.timed;
  CHECK(timed.dispatch.groups == 4);
  CHECK(timed.dispatch.bindings[1].buffer->bytes() == 4 * 8 * 16 * 8 * sizeof(float));
  CHECK(timed.ops_per_loop == 64 * 2 * 16 * 8 * 16 / 32);
  CHECK(made.trial.participants->dispatch == 4 * 4 * 32);
  CHECK_FALSE(kernel_of(made.trial).definitions.contains("BY_WORK_GROUP"));
  CHECK(verified(device, made).status == Status::ok);
  made.results[7 * 128] += 1;
  CHECK(verified(device, made).reason.starts_with("element 0 of result 7 is "));
}

TEST_CASE("matrix throughput: results of more than one part are all checked") {
  fake::FakeDevice device(with_info(gpu_with({})));
  // 8 work-groups of 9 results of 64 KiB: 4 MiB are 64 of them.
  const MatrixStream stream{.shape = {128, 128, 4, "fp16", "fp32"}, .chains = 1, .subgroups = 18, .group_size = 288};
  Prepared made = prepared(device, stream, 9, 9, 32);
  REQUIRE(made.results.size() == std::size_t{72} * 128 * 128);
  CHECK(verified(device, made).status == Status::ok);
  for (const std::size_t result : {71u, 64u, 63u}) {
    made.results[result * 128 * 128 + 17] += 1;
    CHECK(verified(device, made).reason.starts_with(fmt::format("element 17 of result {} is ", result)));
  }
}

}  // namespace
}  // namespace percycle::matrix_throughput_test

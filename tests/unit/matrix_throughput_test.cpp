#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "device/opencl/matrix_shapes.hpp"
#include "experiments/arithmetic/parts/matrix_stream.hpp"
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

TEST_CASE("matrix throughput: every type has its product") {
  CHECK(products(Api::opencl, "nvidia") == std::set<std::string>{"BF16-FP32 16x8x16", "FP16-FP16 16x8x16", "FP16-FP32 16x8x16",
                                                                 "FP64-FP64 8x8x4", "SINT8-SINT32 16x8x32", "TF32-FP32 16x8x8",
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
  CHECK(opencl::ptx_matrix_shapes(90).size() == 7);
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

TEST_CASE("matrix throughput: a work-group that multiplies together has one sum, on one to four work-groups") {
  const DeviceInfo device = imagined_gpu(Api::vulkan, "nvidia");
  const Experiment& experiment = *find_experiment("matrix-throughput");
  std::set<std::string> together;
  const Options options = make_options(std::vector{&experiment}, {}, Preset::standard, 1).front();
  for (const Point& point : experiment.plan(device, options, {})) {
    if (!point.parameters.contains("scope")) continue;
    CHECK_FALSE(experiment.unsupported(device, point));
    together.insert(to_string(point));
  }
  const auto with_subgroups = [](int count) {
    return fmt::format("matrix-throughput chains=1 role=search scope=work-group-256 shape=128x128x32 subgroups={} type=fp16-fp32",
                       count);
  };
  CHECK(together == std::set<std::string>{with_subgroups(8), with_subgroups(16), with_subgroups(32)});
  DeviceInfo plain;
  plain.matrix_shapes = device.matrix_shapes;
  CHECK(from_json<DeviceInfo>(to_json(plain)).matrix_shapes == device.matrix_shapes);
}

}  // namespace
}  // namespace percycle::matrix_throughput_test

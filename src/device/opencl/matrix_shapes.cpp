#include "device/opencl/matrix_shapes.hpp"

namespace percycle::opencl {

std::vector<MatrixShape> ptx_matrix_shapes(std::uint32_t capability) {
  // PTX ISA, "mma": .m16n8k16 and the like from sm_80 on, .e4m3 and .e5m2 from sm_89 on. Sums of
  // integers wrap, so that they are signed or not.
  if (capability < 80) return {};
  std::vector<MatrixShape> shapes{{16, 8, 16, "fp16", "fp32"},   {16, 8, 16, "fp16", "fp16"}, {16, 8, 16, "bf16", "fp32"},
                                  {16, 8, 8, "tf32", "fp32"},    {8, 8, 4, "fp64", "fp64"},   {16, 8, 32, "sint8", "sint32"},
                                  {16, 8, 32, "uint8", "uint32"}};
  // .m16n8k4, .m16n8k8 and .m16n8k16 of .f64: from sm_90 on.
  if (capability >= 90) {
    for (const std::uint32_t depth : {4u, 8u, 16u}) shapes.push_back({16, 8, depth, "fp64", "fp64"});
  }
  // ptxas makes fp8 of Hopper from HMMA and computes equal products once: 8 HMMA for 64 of them.
  if (capability == 89 || capability >= 100) {
    shapes.push_back({16, 8, 32, "fp8_e4m3", "fp32"});
    shapes.push_back({16, 8, 32, "fp8_e5m2", "fp32"});
  }
  return shapes;
}

std::vector<MatrixShape> intel_matrix_shapes(std::uint32_t subgroup_size) {
  // The extension: a product has 8 rows and a column for each lane.
  return {{8, subgroup_size, 16, "fp16", "fp32"},
          {8, subgroup_size, 16, "bf16", "fp32"},
          {8, subgroup_size, 32, "sint8", "sint32"},
          {8, subgroup_size, 32, "uint8", "uint32"}};
}

}  // namespace percycle::opencl

#include "experiments/arithmetic/parts/chain_kernel.hpp"

#include <fmt/format.h>

#include <map>

namespace percycle {
namespace {

constexpr std::uint32_t kStartWord = 0x2545f491u;

bool is_supported(ChainNeed need, const DeviceInfo& device) {
  const SubgroupOperations& subgroup = device.subgroup_operations;
  switch (need) {
    case ChainNeed::vote:
      return subgroup.vote;
    case ChainNeed::ballot:
      return subgroup.ballot;
    case ChainNeed::broadcast:
      return subgroup.broadcast;
    case ChainNeed::shuffle:
      return subgroup.shuffle;
    case ChainNeed::reduction:
      return subgroup.reduction;
    case ChainNeed::dot:
    case ChainNeed::saturating_dot:
      return device.dot_product;
    case ChainNeed::half:
    case ChainNeed::half_division:
    case ChainNeed::half_minimum:
      return device.fp16;
    case ChainNeed::clock:
      return device.unit_clock.has_value();
    default:
      return true;
  }
}

/// Whether kernels of this device use PTX for functions that its OpenCL C lacks.
bool uses_ptx(const DeviceInfo& device) {
  return device.api == Api::opencl && device.vendor == "NVIDIA" && device.type == DeviceType::gpu;
}

/// The reason why the device or the API cannot do the operation.
std::optional<std::string> need_unsupported(const ChainOperation& operation, const DeviceInfo& device) {
  const ChainNeed need = operation.need;
  if (operation.is_of_subgroup() || need == ChainNeed::barrier) {
    if (device.subgroup_sizes.empty()) return "the driver does not report the size of a subgroup";
    if (operation.is_of_subgroup() && device.subgroup_sizes.front() % 2 != 0) return "a subgroup has one lane";
  }
  if (need == ChainNeed::opencl && device.api == Api::vulkan)
    return operation.type == ChainType::fp32 && operation.name != "fp32-copysign"
               ? "GLSL has one precision of this function; percycle measures it as the fast one"
               : "GLSL has no function for this operation";
  const bool has_reversal = device.vendor == "NVIDIA" || device.vendor == "AMD" || device.type == DeviceType::cpu;
  if (need == ChainNeed::reversal && device.api == Api::opencl && !has_reversal) return "OpenCL C 1.2 has no reversal of bits";
  if (need == ChainNeed::half_division && uses_ptx(device))
    return "NVIDIA's OpenCL C has no 16-bit floating-point numbers, and PTX has no division of them";
  // PTX ISA: min.f16, max.f16 and fma.rn.bf16 from sm_80 on.
  const bool is_old = uses_ptx(device) && std::stod(device.compute_capability.value_or("0")) < 8;
  if (need == ChainNeed::half_minimum && is_old) return "PTX has min and max of 16-bit numbers from compute capability 8.0 on";
  if (need == ChainNeed::bfloat && is_old) return "PTX has bfloat16 numbers from compute capability 8.0 on";
  if (need == ChainNeed::bfloat && !uses_ptx(device))
    return device.api == Api::opencl ? "OpenCL C has no arithmetic of bfloat16 numbers"
                                     : "SPV_KHR_bfloat16 has no arithmetic besides dot products and matrices";
  if (need == ChainNeed::saturating_dot && uses_ptx(device)) return "PTX has no dot product whose sum saturates";
  if (is_supported(need, device)) return std::nullopt;
  if (need == ChainNeed::clock) return "kernels cannot read a unit's clock on this device";
  const char* const text = operation.is_dot_product()   ? "dot product of 4 x 8-bit integers"
                           : operation.is_of_subgroup() ? "operation of this kind between the lanes of a subgroup"
                                                        : "16-bit floating-point numbers";
  return fmt::format("the device and its driver offer no {} through this API", text);
}

/// Macros of parts of the kernel that a compiler for another device would refuse.
const char* part_of(ChainNeed need) {
  switch (need) {
    case ChainNeed::half_minimum:
      return "USES_HALF_MINIMUM";
    case ChainNeed::dot:
      return "USES_DOT_PRODUCT";
    case ChainNeed::reduction:
      return "USES_REDUCTION";
    default:
      return nullptr;
  }
}

}  // namespace

const char* type_definition(ChainType type) {
  static const std::map<ChainType, const char*> definitions{
      {ChainType::int32, "TYPE_INT32"}, {ChainType::fp32, "TYPE_FP32"},    {ChainType::int64, "TYPE_INT64"},
      {ChainType::fp64, "TYPE_FP64"},   {ChainType::fp16, "TYPE_FP16"},    {ChainType::fp16x2, "TYPE_FP16X2"},
      {ChainType::int8, "TYPE_INT8"},   {ChainType::int16, "TYPE_INT16"},  {ChainType::int16x2, "TYPE_INT16X2"},
      {ChainType::bf16, "TYPE_BF16"},   {ChainType::bf16x2, "TYPE_BF16X2"}};
  return definitions.at(type);
}

std::optional<std::string> operation_unsupported(const DeviceInfo& device, const ChainOperation& operation) {
  if (operation.type == ChainType::int64 && !device.int64) return "the device has no 64-bit integers";
  if (operation.type == ChainType::fp64 && !device.fp64) return "the device has no 64-bit floating-point numbers";
  const bool is_short = operation.type == ChainType::int16 || operation.type == ChainType::int16x2;
  if (is_short && !device.int16) return "the device has no 16-bit integers in kernels of this API";
  if (operation.type == ChainType::int8 && !device.int8) return "the device has no 8-bit integers in kernels of this API";
  const bool is_half = operation.type == ChainType::fp16 || operation.type == ChainType::fp16x2;
  if (is_half && !device.fp16) return "the device has no 16-bit floating-point numbers in kernels of this API";
  if (operation.name == "int32-select" && device.name.starts_with("SwiftShader"))
    return "SwiftShader's compiler takes minutes for a chain of selections";
  return need_unsupported(operation, device);
}

std::map<std::string, std::string> chain_texts(const ChainOperation& operation, const ChainExpression& expression) {
  std::map<std::string, std::string> texts{{"OPERATION(x, y, c)", "(" + expression.text + ")"},
                                           {"FIRST_VALUE(h)", "(" + chain_start_text(operation) + ")"},
                                           {"OTHER_VALUE(h)", "(" + chain_other_text(operation) + ")"}};
  if (const char* part = part_of(operation.need)) texts[part] = "1";
  return texts;
}

std::vector<ChainExpression> allowed_expressions(const ChainOperation& operation) {
  std::vector<ChainExpression> expressions{operation.expression};
  if (operation.other_rounding != nullptr) {
    expressions.push_back(operation.expression);
    expressions.back().step = operation.other_rounding;
  }
  return expressions;
}

std::uint32_t chain_mask(const ChainOperation& operation) { return operation.is_exact() ? UINT32_MAX : 0; }

std::uint32_t start_word(std::uint32_t number) { return kStartWord + number % 2; }

}  // namespace percycle

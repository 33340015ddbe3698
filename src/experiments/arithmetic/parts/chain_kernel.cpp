#include "experiments/arithmetic/parts/chain_kernel.hpp"

#include <map>

namespace percycle {
namespace {

constexpr std::uint32_t kStartWord = 0x2545f491u;

}  // namespace

const char* type_definition(ChainType type) {
  static const std::map<ChainType, const char*> definitions{{ChainType::int32, "TYPE_INT32"},
                                                            {ChainType::fp32, "TYPE_FP32"},
                                                            {ChainType::int64, "TYPE_INT64"},
                                                            {ChainType::fp64, "TYPE_FP64"},
                                                            {ChainType::fp16x2, "TYPE_FP16X2"}};
  return definitions.at(type);
}

std::optional<std::string> operation_unsupported(const DeviceInfo& device, const ChainOperation& operation) {
  if (operation.type == ChainType::int64 && !device.int64) return "the device has no 64-bit integers";
  if (operation.type == ChainType::fp64 && !device.fp64) return "the device has no 64-bit floating-point numbers";
  if (operation.type == ChainType::fp16x2 && !device.fp16) return "the device has no 16-bit floating-point numbers";
  if (operation.need == ChainNeed::opencl && device.api == Api::vulkan)
    return operation.type == ChainType::fp32 ? "GLSL has one precision of this function, which is measured as the fast one"
                                             : "GLSL has no such function";
  const bool has_reversal = device.vendor == "NVIDIA" || device.vendor == "AMD" || device.type == DeviceType::cpu;
  if (operation.need == ChainNeed::reversal && device.api == Api::opencl && !has_reversal)
    return "OpenCL C 1.2 has no reversal of bits";
  return std::nullopt;
}

std::vector<ChainStep> allowed_steps(const ChainOperation& operation) {
  std::vector<ChainStep> steps{operation.expression.step};
  if (operation.other_rounding != nullptr) steps.push_back(operation.other_rounding);
  return steps;
}

std::uint32_t chain_mask(const ChainOperation& operation) { return operation.is_exact() ? UINT32_MAX : 0; }

std::uint32_t start_word(std::uint32_t number) { return kStartWord + number % 2; }

}  // namespace percycle

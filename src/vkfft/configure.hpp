#pragma once

// For the two sources that include vkFFT.h, whose types differ by API: both get functions of their
// own.

#include <fmt/format.h>

#include "device/error.hpp"
#include "vkfft/plan.hpp"

namespace percycle {
namespace {

void check_vkfft(Api api, VkFFTResult result, const char* call) {
  if (result == VKFFT_SUCCESS) return;
  throw DeviceError(api, DeviceError::Kind::other, call, fmt::format("VkFFT's error {}", static_cast<int>(result)));
}

/// All of a plan but the API's objects. `bytes` of each buffer must live as long as the plan.
VkFFTConfiguration configuration_of(const FourierPlan& plan, std::uint64_t& bytes) {
  bytes = plan.input->bytes();
  VkFFTConfiguration configuration{};
  configuration.FFTdim = 1;
  configuration.size[0] = plan.length;
  configuration.numberBatches = plan.batches;
  configuration.makeForwardPlanOnly = 1;
  configuration.isInputFormatted = 1;
  configuration.inputBufferStride[0] = plan.length;
  configuration.inputBufferSize = &bytes;
  configuration.bufferSize = &bytes;
  return configuration;
}

}  // namespace
}  // namespace percycle

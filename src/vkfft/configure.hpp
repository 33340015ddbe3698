#pragma once

// For the two sources that include vkFFT.h. Its types have other members for each API, so the
// functions are templates: the linker must not take one for the other.

#include <fmt/format.h>

#include "device/error.hpp"
#include "vkfft/plan.hpp"

namespace percycle {

template <Api kApi>
void check_vkfft(VkFFTResult result, const char* call) {
  if (result == VKFFT_SUCCESS) return;
  throw DeviceError(kApi, DeviceError::Kind::other, call, fmt::format("VkFFT's error {}", static_cast<int>(result)));
}

/// All of a plan but the API's objects. `bytes` of each buffer must live as long as the plan.
template <Api kApi>
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

}  // namespace percycle

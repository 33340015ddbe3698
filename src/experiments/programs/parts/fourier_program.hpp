#pragma once

#include "presentation/presentation.hpp"

namespace percycle {

// The program that percycle-vkfft measures (src/vkfft). percycle itself reads its records.

inline constexpr const char* kFourier = "fft";
inline constexpr const char* kFourierLength = "length";
inline constexpr const char* kFourierBatches = "batches";

/// Bytes of a point that a transform must move: a complex number read once and written once.
inline constexpr std::uint64_t kFourierPointBytes = 16;

Presentation fourier_presentation();

}  // namespace percycle

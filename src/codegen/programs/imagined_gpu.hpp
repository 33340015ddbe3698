#pragma once

#include <array>
#include <string_view>

#include "device/info.hpp"

namespace percycle {

/// Kinds of GPUs for which experiments have different kernels.
inline constexpr std::array<std::string_view, 6> kGpuKinds{"nvidia", "gcn1", "gcn", "rdna", "rdna3", "intel"};

/// A card of that kind with every feature that an experiment may need, as that API would describe
/// it. `kind` is one of kGpuKinds.
DeviceInfo imagined_gpu(Api api, std::string_view kind);

}  // namespace percycle

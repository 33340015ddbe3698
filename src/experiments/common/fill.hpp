#pragma once

#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "device/device.hpp"

namespace percycle {

/// The dispatches of kernel pair `fill` that write words.word(i) to each word i of the buffer.
/// Throws DeviceError.
std::vector<Dispatch> fill(Device& device, const std::shared_ptr<Buffer>& buffer, const DataWords& words);

}  // namespace percycle

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// libFuzzer calls this with each input. UsageError is a refusal; any other exception, a
/// sanitizer's report, a hang or 2 GB are faults.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace percycle::fuzz {

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace percycle::fuzz

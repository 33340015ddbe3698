#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The Zstandard frames in the data of a Vulkan pipeline cache of NVIDIA's driver, each
/// decompressed (64 MiB at most). The layout is not published; it was found in files of driver 580.
std::vector<std::string> decompressed_frames(std::string_view cache);

/// The raw machine code in one of these frames; empty if the layout does not match.
/// docs/internals.md describes the layout.
std::string machine_code_of(std::string_view frame, unsigned capability_major);

}  // namespace percycle

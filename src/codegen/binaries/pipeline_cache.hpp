#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The Zstandard frames in the data of a Vulkan pipeline cache of NVIDIA's driver, each
/// decompressed (64 MiB at most). The layout is not published; it was found in files of driver 580.
std::vector<std::string> decompressed_frames(std::string_view cache);

/// The raw machine code in one of these frames; empty if the layout does not match. 0x40 bytes
/// after the letters `NVuc` begins a table of entries {type, size and offset from the letters, in
/// either order}, of 32 or 64 bits each. The entry of type 1 is the code. It consists of whole
/// instructions: 16 bytes from compute capability 7.0 on, 8 before. From 7.0 on there must be an
/// EXIT among them.
std::string machine_code_of(std::string_view frame, unsigned capability_major);

}  // namespace percycle

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// What the data of a Vulkan pipeline cache of NVIDIA's driver holds in frames of Zstandard, each decompressed (64 MiB at most). The layout is not
/// published; it was found in what driver 580 writes.
std::vector<std::string> decompressed_frames(std::string_view cache);

/// The raw machine code in one of these frames; empty where nothing fits. Behind the letters "NVuc", 0x40 bytes from them, stands a table of entries
/// {type, size and offset from the letters, in either order} of 32 or 64 bits each; the entry of type 1 is the code, whole instructions (16 bytes from
/// compute capability 7.0 on, 8 before) among which, from 7.0 on, there must be an EXIT.
std::string machine_code_of(std::string_view frame, unsigned capability_major);

}  // namespace percycle

#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace percycle {

// External programs that make a readable form of machine code. The first one found of each list is
// used.
inline constexpr std::array<std::string_view, 1> kPtxAssemblers{"ptxas"};
inline constexpr std::array<std::string_view, 2> kCubinDisassemblers{"nvdisasm", "cuobjdump"};
inline constexpr std::array<std::string_view, 1> kCodeDisassemblers{"nvdisasm"};  // raw code
inline constexpr std::array<std::string_view, 7> kAmdDisassemblers{"llvm-objdump",    "llvm-objdump-19", "llvm-objdump-18",
                                                                   "llvm-objdump-17", "llvm-objdump-16", "llvm-objdump-15",
                                                                   "llvm-objdump-14"};
inline constexpr std::string_view kIntelDisassembler = "ocloc";

inline std::vector<std::string_view> all_code_tools() {
  std::vector<std::string_view> all{kIntelDisassembler};
  const auto add = [&all](std::span<const std::string_view> names) { all.insert(all.end(), names.begin(), names.end()); };
  add(kPtxAssemblers);
  add(kCubinDisassemblers);
  add(kAmdDisassemblers);
  return all;
}

}  // namespace percycle

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The parameter that points with stores have: `operation=write` or `operation=copy`. Points that
/// read do not name it, as in records from before there were stores.
inline constexpr const char* kOperation = "operation";
inline constexpr const char* kReadOperation = "read";
inline constexpr const char* kWriteOperation = "write";
inline constexpr const char* kCopyOperation = "copy";

inline const WordsParameter kOperations{kOperation,
                                        {kReadOperation, kWriteOperation, kCopyOperation},
                                        ParameterSpec::kAutomatic,
                                        "read; write: stores alone; copy: a load and a store in turn; auto: all (quick: read)"};

bool measures_reads(const Options& options);
/// The operations that store: write, copy, both or none.
std::vector<std::string> store_operations(const Options& options);
/// Whether the point stores.
bool is_store(const Point& point);

/// Work-groups that store to a region of their own lap after lap (kernel pair `stores`).
struct Stores {
  bool copies = false;  ///< each store has a load of the source before it
  bool local = false;   ///< in local memory, source included
  /// Each group of a copy loads from its own slice, past its unit's cache. Else all load the same.
  bool slices = false;
  std::uint32_t width = 16;        ///< bytes per lane and store: 4, 8 or 16
  std::uint64_t region_bytes = 0;  ///< that a group writes; a whole number of tiles
  std::uint32_t tile_lanes = 32;   ///< lanes that share a tile; a multiple of row_lanes()
  std::uint32_t unroll = 8;        ///< stores of a lane per loop turn: 4, 8, 16 or 32
  std::uint32_t groups = 1;
  std::uint32_t group_size = 256;
  std::optional<std::uint32_t> subgroup_size{};
};

/// Most bytes that all groups write: the caches, not the memory behind them.
inline constexpr std::uint64_t kMostStoredBytes = std::uint64_t{64} << 20u;

/// Why this device cannot run these stores, or why a region is not a whole number of tiles. Pure.
std::optional<std::string> stores_unsupported(const DeviceInfo& device, const Stores& config);

/// The trial: a loop is a lap. After each run the host checks every lane and a part of the written
/// bytes. Throws DeviceError.
Trial stores_trial(Device& device, const Stores& config, std::uint64_t seed);

}  // namespace percycle

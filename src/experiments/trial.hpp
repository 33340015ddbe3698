#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/access.hpp"
#include "core/measurement.hpp"
#include "core/outcome.hpp"
#include "device/device.hpp"

namespace percycle {

/// A copy of a whole buffer between host and device, from or to memory that the trial keeps.
struct Transfer {
  std::shared_ptr<Buffer> buffer;
  bool to_device = true;
  HostMemory memory = HostMemory::pinned;
  std::shared_ptr<std::vector<std::byte>> host;  ///< as many bytes as the buffer
};

/// Accesses of one kind by each invocation, as a kernel's source has them.
struct TurnAccess {
  MemoryPath path = MemoryPath::global;
  AccessKind kind = AccessKind::read;
  std::uint32_t width = 4;  ///< bytes of one access
  std::uint64_t count = 0;
  bool returns = false;  ///< atomic: whether what it returns is used

  bool operator==(const TurnAccess&) const = default;
};

/// A dispatch whose kernel repeats its work by a loop count in the parameter block, and the check of what it computed.
struct LoopedDispatch {
  Dispatch dispatch;
  std::optional<Transfer> transfer;  ///< is made once per loop, one after the other, instead of the dispatch
  /// Work-groups to each loop: the dispatch gets that many times the loop count, one at least. None: its own number, whatever the loops.
  std::optional<std::uint32_t> groups_per_loop;
  /// Which parameter of the dispatch holds the loop count; 0 loops are allowed and do no timed work.
  std::string loops_parameter = "loops";
  std::uint64_t max_loops = 1;     ///< what the device (DeviceInfo::max_loop_iterations) and the parameter can hold
  std::uint64_t ops_per_loop = 1;  ///< timed operations of one invocation per loop
  /// What one turn of the kernel's innermost timed loop holds, where it has no loop all of it but accesses that are counted elsewhere: what is to be
  /// found in the machine code. None: that differs from turn to turn.
  std::optional<std::vector<TurnAccess>> turn;
  /// Called after every run with its loop count; reads the results back. `ok`, `invalid(reason)` or `unsupported(reason)`.
  std::function<Outcome(Device&, std::uint64_t loops)> verify;
};

/// Where a timed dispatch leaves its in-kernel clocks: four 64-bit counts at `offset`, {unit begin, unit end, device begin, device end}.
struct ClockReadings {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
};

/// Where each work-group of a timed dispatch leaves its GroupStamp, in the order of the groups.
struct GroupStamps {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint32_t groups = 0;  ///< that leave one
  /// Only the dispatch's first groups (first half of the stamps) and its last ones leave a stamp.
  bool ends_only = false;
};

/// Where a timed dispatch leaves 32-bit numbers, such as one for each of its operations.
struct SeriesReading {
  std::string name;  ///< in Measurement::series
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  bool sum_per_op = false;  ///< their sum, to each operation, is a statistic: NAME_per_op
};

/// Everything that measuring one point needs, resources included; made by an experiment, run by measure/.
struct Trial {
  std::vector<Dispatch> setup;          ///< once, in order
  std::vector<Dispatch> before_sample;  ///< before every run of `timed`, untimed
  LoopedDispatch timed;
  std::optional<LoopedDispatch> control;  ///< the same loop and address arithmetic without the operations
  std::optional<ClockReadings> clocks;    ///< of `timed` (and of `control`, which writes the same place of its own buffer)
  std::optional<ClockReadings> control_clocks;
  std::optional<GroupStamps> group_stamps;   ///< of `timed`, instead of `clocks`
  std::optional<Work> work;                  ///< what `timed` moves; none: it is no bandwidth that is measured
  std::optional<Participants> participants;  ///< who does what `timed` does; none: it is no rate of operations that is measured
  std::optional<SeriesReading> series;       ///< read after every sample
  bool repeatable = false;               ///< `timed` may run any number of times before a run that is verified, which begins anew
  std::optional<std::uint64_t> samples;  ///< exactly so many, whatever their spread; else the protocol decides
  std::optional<double> sample_ns;       ///< how long one sample shall at least take; else the protocol decides
  std::uint64_t ops_per_lap = 0;         ///< operations that touch the whole data set once; 0: no such notion
  std::map<std::string, std::string> observed;  ///< see Measurement::observed
};

}  // namespace percycle

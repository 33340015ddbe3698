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

/// A copy of a whole buffer between host and device, or between two devices. The trial keeps the
/// host's memory.
struct Transfer {
  std::shared_ptr<Buffer> buffer;
  bool to_device = true;
  HostMemory memory = HostMemory::pinned;
  std::shared_ptr<std::vector<std::byte>> host;  ///< as many bytes as the buffer
  bool by_host = false;                          ///< only the host's time counts
  /// A second buffer, copied to the host at the same time; needs pinned memory and to_device.
  std::shared_ptr<Buffer> back{};
  std::shared_ptr<std::vector<std::byte>> host_back{};
  std::shared_ptr<PeerLink> link{};  ///< replaces both buffers: copies to another device
};

/// Accesses of one kind in a kernel's source, per invocation.
struct TurnAccess {
  MemoryPath path = MemoryPath::global;
  AccessKind kind = AccessKind::read;
  std::uint32_t width = 4;  ///< bytes of one access
  std::uint64_t count = 0;
  bool returns = false;  ///< atomic: whether the kernel uses the returned value

  bool operator==(const TurnAccess&) const = default;
};

/// Dependent arithmetic of each lane in one turn of a loop, as in the kernel's source.
struct TurnArithmetic {
  std::string name;            ///< name of the operation: "div (irregular)"
  std::uint64_t count = 0;     ///< operations
  std::uint32_t helper = 0;    ///< simple operations beside each of them
  bool is_matrix = false;      ///< they are products of matrices
  std::uint32_t branches = 0;  ///< on values of the lanes; then the operations of all sides count

  /// The fewest instructions that can do all of it.
  std::uint64_t least_instructions() const { return helper > 0 ? 2 * count : count; }

  bool operator==(const TurnArithmetic&) const = default;
};

/// The place of a timed dispatch's in-kernel clocks: four 64-bit counts at `offset`, {unit begin,
/// unit end, device begin, device end}.
struct ClockReadings {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
};

/// One side of a kernel in a round trip.
struct TripPart {
  ClockReadings clocks;  ///< only the device's counts are read
  /// From the host's call to the kernel's begin; else from its end to the host.
  bool is_before_kernel = true;
};

/// The beginning of a refusal of a point whose shortest dispatch is too long for a watchdog.
inline constexpr const char* kLongDispatch = "one pass takes about";

/// A dispatch whose kernel repeats its work by a loop count, and the check of its results.
struct LoopedDispatch {
  Dispatch dispatch;
  std::optional<Transfer> transfer;  ///< replaces the dispatch: one transfer per loop, in turn
  /// Replaces the loop in the kernel: one launch more than loops, in one submission. Its count is
  /// not read.
  std::optional<Launches> launches;
  /// Launches through other queues. If they wait for each other, they replace the loop in the
  /// kernel: one launch more than loops, in a control as many as loops, at least one. Else they are
  /// a pair (Sample::pair) whose kernel loops, after one launch alone.
  std::optional<QueuedLaunches> queued;
  /// Replaces the loop in the kernel: one submission per loop, each waited for. Only the host's
  /// time counts.
  bool round_trips = false;
  std::optional<TripPart> trip_part;  ///< only this part of each round trip counts
  /// Work-groups per loop: the dispatch gets this many times the loop count, at least one. Empty:
  /// the dispatch keeps its own number.
  std::optional<std::uint32_t> groups_per_loop;
  /// The first loop may be too long for one dispatch, and part of its work-groups tells its time:
  /// verify(0) then takes notice of their results.
  bool tries_part_first = false;
  /// The parameter that holds the loop count. 0 loops are allowed and do no timed work. Empty: none
  /// does.
  std::string loops_parameter = "loops";
  std::uint64_t max_loops = 1;     ///< limit of device (max_loop_iterations) and parameter
  std::uint64_t ops_per_loop = 1;  ///< timed operations of one invocation per loop
  /// Accesses in one turn of the innermost timed loop, or in the whole kernel if it has no loop.
  /// The machine code must contain them. Empty: turns differ.
  std::optional<std::vector<TurnAccess>> turn;
  std::optional<TurnArithmetic> arithmetic;  ///< of one turn in the source, if it is measured
  /// The kernel compiled as usual, if `dispatch` has it compiled without optimisation.
  std::shared_ptr<Kernel> optimized;
  /// Called after every run with its loop count; reads the results back. Returns `ok`,
  /// `invalid(reason)` or `unsupported(reason)`.
  std::function<Outcome(Device&, std::uint64_t loops)> verify;
};

/// The place of a timed dispatch's GroupStamps, one per work-group in order.
struct GroupStamps {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint32_t groups = 0;  ///< that leave one
  /// Only the dispatch's first groups (first half of the stamps) and its last ones leave a stamp.
  bool ends_only = false;
  /// The groups' stores may end after their stamps: only units and the counter's rate are used.
  bool posted = false;
};

/// The place of a 32-bit number that a timed dispatch writes: how often its other work-groups moved
/// `bytes_each` bytes during the timed part.
struct TrafficReading {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t bytes_each = 0;
  std::uint64_t groups = 0;  ///< that move data
};

/// The place of 32-bit numbers that a timed dispatch writes, such as one per operation.
struct SeriesReading {
  std::string name;  ///< in Measurement::series
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  bool sum_per_op = false;  ///< the sum per operation is a statistic: NAME_per_op
};

/// A load over seconds to minutes, whose samples show how the device changes.
struct SustainedLoad {
  double rest_ns = 0;  ///< without any load before it; simulated devices do not rest
  double load_ns = 0;
};

/// All that a measurement of one point needs, resources included. An experiment makes it; measure/
/// runs it.
struct Trial {
  std::vector<Dispatch> setup;          ///< run once, in order
  std::vector<Dispatch> before_sample;  ///< run untimed before every run of `timed`
  LoopedDispatch timed;
  std::optional<LoopedDispatch> control;        ///< the same without the operations
  std::optional<double> control_share;          ///< or with some: see Measurement
  std::optional<ClockReadings> clocks;          ///< written by `timed`
  std::optional<ClockReadings> control_clocks;  ///< written by `control`
  std::optional<GroupStamps> group_stamps;      ///< written by `timed`, instead of `clocks`
  std::optional<TrafficReading> traffic;        ///< beside `timed`'s operations
  std::optional<Work> work;                     ///< bytes that `timed` moves; empty: no bandwidth
  std::optional<Participants> participants;     ///< invocations of `timed`; empty: no rate
  std::optional<SeriesReading> series;          ///< read after every sample
  bool repeatable = false;                      ///< unverified runs may precede a verified one
  bool accumulates = false;                     ///< likewise, if the check counts their loops, too
  std::optional<std::uint64_t> samples;         ///< exact number; empty: the protocol decides
  std::optional<double> sample_ns;              ///< least duration; empty: the protocol decides
  std::optional<SustainedLoad> sustained;       ///< samples follow each other for so long
  std::uint64_t ops_per_lap = 0;                ///< operations that touch all data once, or 0
  std::map<std::string, std::string> observed;  ///< see Measurement::observed
};

}  // namespace percycle

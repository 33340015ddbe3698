#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/access.hpp"
#include "core/chain.hpp"
#include "core/sample.hpp"
#include "expected/access_pattern.hpp"

namespace percycle::sim {

/// The origin of an access: a subgroup of the work-group on a unit. Work-groups of one dispatch run
/// on units 0, 1, ... in turn.
struct Actor {
  std::uint32_t unit = 0;
  std::uint32_t subgroup = 0;
};

/// A dependent chase along a chain: `steps` loads, each from the address that the previous load
/// returned.
struct Walk {
  Actor actor;
  MemoryPath path = MemoryPath::global;
  /// Binding of the chain's memory; unused for local and constant memory.
  std::uint32_t binding = 0;
  ChainImage image;
  std::uint64_t base = 0;      ///< byte offset of node 0 in the memory
  std::uint64_t position = 0;  ///< position of the first load
  std::uint64_t steps = 0;
  std::uint32_t words = 1;  ///< distinct ones that the lanes request, at other positions
  /// Blocks of the kernel's program that the unit runs again and again between parts of the walk.
  std::uint64_t code_blocks = 0;
};

/// A work-group's accesses to a region that its invocations sweep together and repeatedly, each
/// with the same number of accesses.
struct Stream {
  std::uint32_t group = 0;  ///< of the dispatch; runs on unit `group` modulo the number of units
  MemoryPath path = MemoryPath::global;
  AccessKind kind = AccessKind::read;
  std::uint32_t binding = 0;   ///< binding of the region's memory; unused for local memory
  std::uint64_t base = 0;      ///< byte offset of the region in the memory
  std::uint64_t bytes = 0;     ///< size of the region
  std::uint64_t accesses = 0;  ///< per invocation
  std::uint32_t lanes = 1;     ///< invocations of the group
  std::uint32_t width = 4;     ///< bytes per access and invocation
  /// Bytes between the addresses of neighbouring lanes; decides over bank conflicts in local
  /// memory.
  std::uint32_t lane_stride = 4;
  /// Must see other units' writes: caches of a single unit pass it on and never answer.
  bool coherent = false;
  /// Each access waits for the previous one: a chase by every lane, not a sweep.
  bool dependent = false;
  std::uint64_t fmas = 0;  ///< 32-bit multiply-adds of each invocation between its accesses
  /// The bytes of each row of lanes if rows lie apart. Else the lanes request all bytes of all
  /// sectors.
  std::optional<LaneRow> row{};
};

/// A chain of dependent atomic operations by each lane of a work-group, all lanes at once.
struct AtomicChain {
  MemoryPath path = MemoryPath::global;  ///< global or local
  std::uint32_t binding = 0;             ///< binding of the words; unused for local memory
  std::uint64_t offset = 0;              ///< byte offset of the first word
  std::uint32_t contenders = 1;          ///< lanes that use the same word
  std::uint64_t operations = 0;          ///< per lane
};

/// A token that two sides pass back and forth by compare-exchange, each waiting for the other.
struct TokenPass {
  MemoryPath path = MemoryPath::global;  ///< global or local
  /// Binding that has the token at its first byte; unused for local memory.
  std::uint32_t binding = 0;
  std::uint32_t first = 0;  ///< units of both sides
  std::uint32_t second = 0;
  std::uint64_t passes = 0;  ///< hand-overs of both sides together
};

/// Independent atomic operations by every lane of a work-group: none waits for a returned value.
struct AtomicStream {
  /// Number in the dispatch; runs on unit `group` modulo the number of units.
  std::uint32_t group = 0;
  MemoryPath path = MemoryPath::global;  ///< global or local
  std::uint32_t binding = 0;             ///< binding of the words; unused for local memory
  std::uint64_t offset = 0;              ///< byte offset of the first word
  std::uint32_t lanes = 1;               ///< invocations of the group
  std::uint32_t sharers = 1;             ///< consecutive lanes that share a word
  std::uint32_t spread = 4;              ///< bytes from one word to the next
  std::uint64_t operations = 0;          ///< per lane
};

/// Independent chains of arithmetic operations by some subgroups of a work-group.
struct OperationStream {
  /// Number in the dispatch; runs on unit `group` modulo the number of units.
  std::uint32_t group = 0;
  std::vector<std::uint32_t> subgroups;  ///< those that run
  std::uint32_t chains = 1;              ///< of a lane and operation
  std::uint64_t steps = 0;               ///< of each chain
  std::string_view name;                 ///< of the operation
  std::string_view partner{};            ///< a second operation that takes turns with it, if any
};

/// Straight-line code that a subgroup runs again and again.
struct StraightCode {
  std::uint64_t blocks = 0;        ///< of the kernel's program: each turn runs so many
  std::uint64_t instructions = 0;  ///< of all turns together
  Actor actor{};
  /// Other code of the program, which another subgroup runs between two turns.
  std::uint64_t other_blocks = 0;
  Actor other{};
};

/// Dependent accesses of a unit to one line of the last cache, past the caches of the unit.
struct LineAccesses {
  std::uint32_t unit = 0;
  std::uint32_t binding = 0;
  std::uint64_t offset = 0;  ///< of the first byte in the memory
  bool atomic = false;
  std::uint64_t count = 0;
};

/// Work-groups of one kind that start as soon as their unit has room for them, and then compute.
struct ResidentGroups {
  std::uint32_t groups = 1;       ///< of the dispatch, dealt to the units in turn
  std::uint32_t lanes = 1;        ///< invocations of a group
  std::uint32_t registers = 0;    ///< of an invocation
  std::uint64_t local_bytes = 0;  ///< of a group
  std::uint64_t operations = 0;   ///< dependent arithmetic operations of each invocation
};

/// Receives the accesses of a kernel's emulation. The simulated device accounts their time; a test
/// counts them.
class MemoryModel {
 public:
  virtual ~MemoryModel() = default;

  /// One access of `bytes` bytes by `actor` at byte `offset` of binding `binding` (of local or
  /// constant memory: of that memory). Lanes of a subgroup with equal addresses make one access.
  /// The next access starts after it has ended.
  virtual void access(const Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
                      AccessKind kind) = 0;

  /// Simultaneous chases, step by step. The next access starts after the slowest actor has ended.
  /// Walks of one actor take turns, so their times add up. Default: each load is an access.
  virtual void walk(std::span<const Walk> together);

  /// A walk beside other work-groups, which repeat their streams as long as it lasts, with so many
  /// dependent arithmetic operations between two turns. Returns the turns of each of them. Default:
  /// each takes one turn.
  virtual std::uint64_t walk_beside(const Walk& one, std::span<const Stream> others, std::uint64_t pause);

  /// The timed part of a dispatch whose work-groups run at the same time. Returns each group's
  /// clock readings. Streams of one group (source and destination of a copy) share a stamp. Groups
  /// are numbered from 0 without a gap.
  virtual std::vector<GroupStamp> stream(std::span<const Stream> together);

  /// The same for streams that depend on nothing but `key`, so a device need not ask for them
  /// again. Group g has the returned stamp g modulo their number.
  virtual std::vector<GroupStamp> stream_again(const std::string& key, const std::function<std::vector<Stream>()>& together);

  /// Dependent atomics of the first work-group. Default: the operations of its first lane are
  /// accesses.
  virtual void atomics(const AtomicChain& chain);

  /// A token's hand-overs. Default: each is an atomic access of the first side.
  virtual void pass_token(const TokenPass& pass);

  /// Simultaneous atomics of work-groups. Returns each group's clock readings. Groups are numbered
  /// from 0 without a gap. Default: the operations of each group's first lane are accesses.
  virtual std::vector<GroupStamp> atomic_streams(std::span<const AtomicStream> together);

  /// Default: the instructions are dependent arithmetic operations.
  virtual void execute(const StraightCode& code) { compute({}, code.instructions); }

  /// Default: each is an access of the unit.
  virtual void visit(const LineAccesses& line);

  /// Returns each group's clock readings. Default: no group computes.
  virtual std::vector<GroupStamp> reside(const ResidentGroups& all) { return std::vector<GroupStamp>(all.groups); }

  /// `operations` dependent arithmetic operations of one actor.
  virtual void compute(const Actor& /*actor*/, std::uint64_t /*operations*/) {}

  /// The same for operations that the model may know by name (`instruction_chain`).
  virtual void operate(const Actor& actor, std::uint64_t operations, std::string_view name);

  /// Simultaneous chains of operations of work-groups. Returns each group's clock readings. Groups
  /// are numbered from 0 without a gap. Default: the operations of a chain are computed one by one.
  virtual std::vector<GroupStamp> operation_streams(std::span<const OperationStream> together);

  /// A kernel's reading of the unit's or device's clock at this moment; 0 if there is none. Reading
  /// takes time on the unit.
  virtual std::uint64_t unit_clock() { return 0; }
  virtual std::uint64_t device_clock() { return 0; }
};

}  // namespace percycle::sim

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/access.hpp"
#include "core/chain.hpp"
#include "core/sample.hpp"

namespace percycle::sim {

/// Who does something: a subgroup of the work-group that runs on a unit. Work-groups of one dispatch run on units 0, 1, ... in turn.
struct Actor {
  std::uint32_t unit = 0;
  std::uint32_t subgroup = 0;
};

/// A dependent chase along a chain: `steps` loads, each from the node at which the one before it pointed.
struct Walk {
  Actor actor;
  MemoryPath path = MemoryPath::global;
  std::uint32_t binding = 0;  ///< of the memory that holds the chain; of no meaning for local and constant memory
  ChainImage image;
  std::uint64_t base = 0;      ///< byte of the memory at which node 0 of the chain lies
  std::uint64_t position = 0;  ///< of the first load
  std::uint64_t steps = 0;
};

/// A work-group's accesses to a region that its invocations sweep together, over and over, each with the same number of accesses of its own.
struct Stream {
  std::uint32_t group = 0;  ///< of the dispatch; runs on unit `group` modulo the device's units
  MemoryPath path = MemoryPath::global;
  AccessKind kind = AccessKind::read;
  std::uint32_t binding = 0;   ///< of the memory that holds the region; of no meaning for local memory
  std::uint64_t base = 0;      ///< byte of the memory at which the region begins
  std::uint64_t bytes = 0;     ///< of the region
  std::uint64_t accesses = 0;  ///< of each invocation
  std::uint32_t lanes = 1;     ///< invocations of the group
  std::uint32_t width = 4;     ///< bytes of one access of one invocation
  std::uint32_t lane_stride =
      4;                   ///< bytes from one lane's address to the next one's: decides over bank conflicts in local memory
  bool coherent = false;   ///< must see what other units write: caches that belong to one unit pass it on and never answer
  bool dependent = false;  ///< each access waits for the one before it: a chase by every lane, not a sweep
};

/// A chain of dependent atomic operations by each lane of a work-group, all lanes at the same time.
struct AtomicChain {
  MemoryPath path = MemoryPath::global;  ///< global or local
  std::uint32_t binding = 0;             ///< of the memory that holds the words; of no meaning for local memory
  std::uint64_t offset = 0;              ///< byte of the first word
  std::uint32_t contenders = 1;          ///< lanes that ask for the same word
  std::uint64_t operations = 0;          ///< of each lane
};

/// A token that two sides pass to and fro by compare-exchange, each waiting for the other.
struct TokenPass {
  MemoryPath path = MemoryPath::global;  ///< global or local
  std::uint32_t binding = 0;  ///< of the memory that holds the token, at its first byte; of no meaning for local memory
  std::uint32_t first = 0;    ///< the units of both sides
  std::uint32_t second = 0;
  std::uint64_t passes = 0;  ///< hand-overs, of both sides together
};

/// Atomic operations by every lane of a work-group, none of which waits for what another returned.
struct AtomicStream {
  std::uint32_t group = 0;               ///< of the dispatch; runs on unit `group` modulo the device's units
  MemoryPath path = MemoryPath::global;  ///< global or local
  std::uint32_t binding = 0;             ///< of the memory that holds the words; of no meaning for local memory
  std::uint64_t offset = 0;              ///< byte of the first word
  std::uint32_t lanes = 1;               ///< invocations of the group
  std::uint32_t sharers = 1;     ///< lanes, one after the other, that ask for one word; the next as many for the next word
  std::uint32_t spread = 4;      ///< bytes from one word to the next
  std::uint64_t operations = 0;  ///< of each lane
};

/// What the accesses of a kernel's meaning are told to. The simulated device accounts their time; a test counts them.
class MemoryModel {
 public:
  virtual ~MemoryModel() = default;

  /// One access of `bytes` bytes at byte `offset` of binding `binding` (for local and constant memory: of that memory) by `actor`, all lanes
  /// of a subgroup that ask for one address together. The next one starts when it has ended.
  virtual void access(const Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
                      AccessKind kind) = 0;

  /// Chases that run at the same time, step by step; the next access starts when the slowest actor has ended. One actor's walks take turns, so
  /// that their times add up. As if each load were an access.
  virtual void walk(std::span<const Walk> together);

  /// The timed part of a dispatch whose work-groups run at the same time; what each of them would note of its clocks, by group. Streams of one
  /// group (a copy's source and its destination) share its stamp. Groups are numbered from 0 without a gap.
  virtual std::vector<GroupStamp> stream(std::span<const Stream> together);

  /// Dependent atomics of the first work-group. As if the operations of its first lane were accesses.
  virtual void atomics(const AtomicChain& chain);

  /// A token's hand-overs. As if each were an atomic access of the first side.
  virtual void pass_token(const TokenPass& pass);

  /// Atomics that work-groups do at the same time; what each group would note of its clocks, by group. Groups are numbered from 0 without a
  /// gap. As if the operations of each group's first lane were accesses.
  virtual std::vector<GroupStamp> atomic_streams(std::span<const AtomicStream> together);

  /// `operations` dependent arithmetic operations of one actor.
  virtual void compute(const Actor& /*actor*/, std::uint64_t /*operations*/) {}

  /// The same of operations that the model may know by name (`instruction_chain`).
  virtual void operate(const Actor& actor, std::uint64_t operations, std::string_view /*name*/) { compute(actor, operations); }

  /// What a kernel would read of the unit's and of the device's clock now; 0 where there is none. Reading takes time on the unit.
  virtual std::uint64_t unit_clock() { return 0; }
  virtual std::uint64_t device_clock() { return 0; }
};

}  // namespace percycle::sim

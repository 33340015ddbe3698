#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "platform/reserved_memory.hpp"
#include "sim/bound_memory.hpp"

namespace percycle::sim {

/// Memory that is allocated at its first use, and a chain that is written when its bytes are read.
class SimMemory final : public BoundMemory {
 public:
  /// Throws std::bad_alloc if no address space is left.
  explicit SimMemory(std::uint64_t bytes) : memory_(bytes) {}

  std::uint64_t size() const { return memory_.size(); }

  /// For reading and writing; forgets the held chain.
  std::span<std::byte> bytes() override;
  /// For reading only.
  std::span<const std::byte> contents() override;

  /// Only remembers the chain while its pieces come in order from node 0 on. Throws
  /// std::logic_error for a chain longer than the memory.
  void hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base) override;
  const ChainImage* chain() const override;

 private:
  struct Held {
    ChainImage image;
    std::uint64_t address_base;
    std::uint64_t nodes;    ///< held so far, from node 0 on
    std::uint64_t written;  ///< of them, already in the bytes
  };
  void write_held();

  ReservedMemory memory_;
  std::optional<Held> held_;
};

/// Bytes from byte 0 to the end of the last link of a chain.
std::uint64_t links_end(const ChainImage& image);

}  // namespace percycle::sim

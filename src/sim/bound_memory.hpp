#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chain.hpp"

namespace percycle::sim {

/// A chain of 32-bit links that begins at a byte of a memory. Its links count from byte 0 of that
/// memory.
struct BoundChain {
  ChainImage image;
  std::uint64_t base = 0;  ///< byte of node 0

  /// The link that leads to the node at `position`.
  std::uint32_t link_to(std::uint64_t position) const;
  /// The position of a chase that holds this link.
  std::uint64_t position_of(std::uint32_t link) const;
  /// Whether the chain has a node at this byte.
  bool has_node_at(std::uint64_t offset) const;
};

/// The memory of a binding, or a kernel's constants.
class BoundMemory {
 public:
  virtual ~BoundMemory() = default;

  /// All bytes, for reading and writing.
  virtual std::span<std::byte> bytes() = 0;
  /// All bytes, for reading only.
  virtual std::span<const std::byte> contents() = 0;
  /// Equivalent to writing the links of nodes `first` to `first + count` of the chain into bytes().
  /// A device may defer the writing.
  virtual void hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base);
  /// The complete chain that hold() left there, if nothing can have changed it since; nullptr if
  /// that is unknown.
  virtual const ChainImage* chain() const { return nullptr; }

  /// A number that no other contents of any memory have; 0: changes are not counted.
  std::uint64_t version() const { return version_; }

  /// The chain of 32-bit links that the host wrote, through the node at `link`; links count in
  /// units of `link_unit` bytes. That node has position 0 in the first call. Throws
  /// std::invalid_argument if the links are no chain of nodes in even rows.
  BoundChain chain_through(std::uint32_t link, std::uint32_t link_unit);

 protected:
  BoundMemory() = default;
  explicit BoundMemory(std::uint32_t buffers) : buffers_(buffers) {}
  /// Call this if the bytes may have changed.
  void note_change();

 private:
  std::vector<BoundChain> found_;
  std::uint64_t version_ = 0;
  std::uint32_t buffers_ = 1;  ///< of equal size; a link counts from the start of the next one
};

/// The constants of a kernel.
class ConstantMemory final : public BoundMemory {
 public:
  /// The constants lie in `buffers` buffers of equal size, one behind the other.
  ConstantMemory(std::span<const std::byte> constants, std::uint32_t buffers) : BoundMemory(buffers), constants_(constants) {}
  /// Throws std::logic_error, because no kernel writes constants.
  std::span<std::byte> bytes() override;
  std::span<const std::byte> contents() override { return constants_; }

 private:
  std::span<const std::byte> constants_;
};

}  // namespace percycle::sim

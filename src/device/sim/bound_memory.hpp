#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chain.hpp"

namespace percycle::sim {

/// A chain of 32-bit links that begins at a byte of a memory; its links count from byte 0 of that memory.
struct PlacedChain {
  ChainImage image;
  std::uint64_t base = 0;  ///< byte of node 0

  /// The link that leads to the node at `position`.
  std::uint32_t link_to(std::uint64_t position) const;
  /// The position at which a chase that holds this link stands.
  std::uint64_t position_of(std::uint32_t link) const;
  /// Whether one of its nodes lies at this byte.
  bool has_node_at(std::uint64_t offset) const;
};

/// The memory behind a binding, or a kernel's constants.
class BoundMemory {
 public:
  virtual ~BoundMemory() = default;

  /// All of its bytes, for writing too.
  virtual std::span<std::byte> bytes() = 0;
  /// For reading only.
  virtual std::span<const std::byte> contents() = 0;
  /// The same as writing the links of nodes `first` to `first + count` of the chain into bytes(). A device may put the writing off.
  virtual void hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base);
  /// The chain that hold() left there, all nodes of it, if nothing can have changed it since; nullptr when that is not known.
  virtual const ChainImage* chain() const { return nullptr; }

  /// The chain that the host wrote there, through the node to which `link` leads: 32-bit links that count in units of `link_unit` bytes. That node has
  /// position 0 when the chain is asked for the first time. Throws std::invalid_argument when the links are no chain of nodes in even rows.
  PlacedChain chain_through(std::uint32_t link, std::uint32_t link_unit);

 protected:
  /// To be called when the bytes may have changed.
  void forget_chains() { found_.clear(); }

 private:
  std::vector<PlacedChain> found_;
};

/// The constants of a kernel.
class ConstantMemory final : public BoundMemory {
 public:
  explicit ConstantMemory(std::span<const std::byte> constants) : constants_(constants) {}
  /// Throws std::logic_error: no kernel writes constants.
  std::span<std::byte> bytes() override;
  std::span<const std::byte> contents() override { return constants_; }

 private:
  std::span<const std::byte> constants_;
};

}  // namespace percycle::sim

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace percycle {

/// The order in which a chain visits its nodes.
enum class ChainOrder {
  random,      ///< no two steps related
  sequential,  ///< node after node: shows prefetch and TLB effects
};

/// The numbers that define a chain in closed form; kernels take them as parameters.
struct ChainArithmetic {
  /// A bijection of the numbers 0 .. count-1.
  struct Bits {
    std::uint32_t mask = 0;    ///< 2^k - 1, where count - 1 has k bits
    std::uint32_t shift = 31;  ///< xor-shift distance
    bool operator==(const Bits&) const = default;
  };

  std::uint32_t groups = 1;                           ///< number of groups
  std::uint32_t group = 1;                            ///< nodes per group
  Bits outer{};                                       ///< order of the groups
  Bits inner{};                                       ///< order of the nodes in a group
  std::array<std::uint32_t, 4> multiply{1, 1, 1, 1};  ///< all odd
  std::array<std::uint32_t, 4> add{};
  std::array<std::uint32_t, 4> inverse{1, 1, 1, 1};  ///< inverses of `multiply` modulo 2^32

  bool operator==(const ChainArithmetic&) const = default;
};

/// One cycle through nodes 0 .. nodes-1 in closed form (see place()). Kernel pair `chain` has
/// the same arithmetic, so a device builds any chain in parallel and the host knows every end
/// without a walk.
class Chain {
 public:
  /// Makes a chain of `nodes` (2 to 2^31) nodes. Groups of `group` consecutive nodes (a power of
  /// two that divides nodes; 1: not grouped) are visited one after the other in random order, all
  /// with the same random order inside. Throws std::invalid_argument otherwise.
  Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed, std::uint64_t group = 1);

  /// The chain that these numbers define.
  explicit Chain(const ChainArithmetic& arithmetic);

  /// The chain that visits the nodes 0 .. nodes-1 in this order. Its arithmetic() has only their
  /// number.
  static Chain listed(std::vector<std::uint32_t> order);

  std::uint64_t nodes() const { return std::uint64_t{arithmetic_.groups} * arithmetic_.group; }
  ChainOrder order() const { return order_; }
  std::uint64_t group() const { return arithmetic_.group; }

  /// The node at `position` (taken modulo nodes).
  std::uint32_t place(std::uint64_t position) const;

  /// The position of a node: the inverse of place.
  std::uint32_t position(std::uint32_t node) const;

  const ChainArithmetic& arithmetic() const { return arithmetic_; }

  bool operator==(const Chain& other) const;

 private:
  struct List {
    std::vector<std::uint32_t> nodes;      ///< node at each position
    std::vector<std::uint32_t> positions;  ///< position of each node
  };

  std::uint32_t mix(std::uint32_t x, const ChainArithmetic::Bits& bits) const;
  std::uint32_t unmix(std::uint32_t x, const ChainArithmetic::Bits& bits) const;

  ChainOrder order_;
  ChainArithmetic arithmetic_;
  std::shared_ptr<const List> list_;  ///< set for a listed chain, which has no arithmetic
};

/// The position of a chain's nodes: node n is at byte (n % columns) * stride + (n / columns) *
/// row_stride.
struct ChainLayout {
  /// bytes between neighbours in a row; a multiple of 4 (of 8 with pointers)
  std::uint64_t stride_bytes = 128;
  std::uint64_t columns = 0;  ///< nodes per row; 0: all in one row
  std::uint64_t row_stride_bytes = 0;
  /// Links are 64-bit addresses; else 32-bit: byte offset / link_unit.
  bool pointers = false;
  std::uint32_t link_unit = 4;  ///< 1, 4 or 16 bytes
  std::uint32_t lanes = 1;      ///< entries of the state buffer that start at position 0
  /// A chain in an image: texels from node to node in both directions. A link is the texel of a
  /// node: its column, and its row in the upper half. 0: no image.
  std::uint32_t texel_step = 0;

  std::uint64_t offset(std::uint64_t node) const;
  /// Bytes from the first of `nodes` nodes to the end of the last.
  std::uint64_t span(std::uint64_t nodes) const;
  /// The node at this byte offset: the inverse of offset. The layout must be unambiguous: either
  /// every row ends before the next begins, or all rows lie within one stride.
  std::uint64_t node_at(std::uint64_t offset) const;

  bool operator==(const ChainLayout&) const = default;
};

/// A chain laid out in memory. Kernel pair `chain` writes it and a chase walks it.
struct ChainImage {
  Chain chain;
  ChainLayout layout;

  /// The link that leads to the node at `position`: a chase at that position holds it.
  /// `address_base`, the address of byte 0, is used with pointers only.
  std::uint64_t link_to(std::uint64_t position, std::uint64_t address_base) const;
  /// The position of a chase that holds this link.
  std::uint64_t position_of(std::uint64_t link, std::uint64_t address_base) const;

  bool operator==(const ChainImage&) const = default;
};

}  // namespace percycle

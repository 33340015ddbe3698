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

/// The numbers that tell a chain in closed form, as kernels take them.
struct ChainArithmetic {
  /// Of the numbers 0 .. count-1.
  struct Bits {
    std::uint32_t mask = 0;    ///< 2^k - 1, k the bits of count - 1
    std::uint32_t shift = 31;  ///< of the xor-shift
    bool operator==(const Bits&) const = default;
  };

  std::uint32_t groups = 1;                           ///< of nodes
  std::uint32_t group = 1;                            ///< nodes of each
  Bits outer{};                                       ///< of the groups
  Bits inner{};                                       ///< of the nodes of a group
  std::array<std::uint32_t, 4> multiply{1, 1, 1, 1};  ///< odd
  std::array<std::uint32_t, 4> add{};
  std::array<std::uint32_t, 4> inverse{1, 1, 1, 1};  ///< of multiply, modulo 2^32

  bool operator==(const ChainArithmetic&) const = default;
};

/// One cycle through nodes 0 .. nodes-1, known in closed form.
///
/// position -> place(position) is a seeded bijection of [0, nodes), and the chain links place(i) to place(i + 1 mod nodes): whatever the
/// bijection, that is a single cycle. It is made of multiply-adds and xor-shifts modulo the next power of two, each of which is invertible
/// (the construction of the PCG output permutations: O'Neill, "PCG", HMC-CS-2014-0905, section 5.4), and a result outside [0, nodes) is
/// mapped again until it falls inside ("cycle walking": Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002, method 2).
/// A chain may be grouped: then groups of consecutive nodes are visited one after the other, in random order, and the nodes of each in
/// random order too (one order for all groups).
/// Kernel pair `chain` holds the same arithmetic, so a device builds any chain in parallel and the host knows every end without a walk.
class Chain {
 public:
  /// A chain of `nodes` (2 to 2^31) nodes in groups of `group`, a power of two that divides nodes (1: not grouped). Throws
  /// std::invalid_argument otherwise.
  Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed, std::uint64_t group = 1);

  /// The chain that these numbers tell.
  explicit Chain(const ChainArithmetic& arithmetic);

  /// The chain that visits these nodes, 0 .. nodes-1, in this order. Its arithmetic() tells no more than their number.
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
    std::vector<std::uint32_t> nodes;      ///< by position
    std::vector<std::uint32_t> positions;  ///< by node
  };

  std::uint32_t mix(std::uint32_t x, const ChainArithmetic::Bits& bits) const;
  std::uint32_t unmix(std::uint32_t x, const ChainArithmetic::Bits& bits) const;

  ChainOrder order_;
  ChainArithmetic arithmetic_;
  std::shared_ptr<const List> list_;  ///< of a listed chain, instead of the arithmetic
};

/// Where a chain's nodes lie: node n at (n % columns) * stride + (n / columns) * row_stride bytes.
struct ChainLayout {
  std::uint64_t stride_bytes = 128;  ///< from node to node of a row; a multiple of 4 (of 8 with pointers)
  std::uint64_t columns = 0;         ///< nodes of a row; 0: one row holds all
  std::uint64_t row_stride_bytes = 0;
  bool pointers = false;        ///< links are 64-bit addresses; else 32-bit numbers, byte offset / link_unit
  std::uint32_t link_unit = 4;  ///< 1, 4 or 16 bytes
  std::uint32_t lanes = 1;      ///< entries of the state buffer to start at position 0

  std::uint64_t offset(std::uint64_t node) const;
  /// Bytes from the first node to the end of the last, `nodes` in all.
  std::uint64_t span(std::uint64_t nodes) const;
  /// The node at a byte offset that is one: the inverse of offset. Rows must not interleave with columns ambiguously: either every row
  /// ends before the next begins, or all rows lie within one stride.
  std::uint64_t node_at(std::uint64_t offset) const;

  bool operator==(const ChainLayout&) const = default;
};

/// A chain laid out in memory: what the kernel pair `chain` writes and a chase walks.
struct ChainImage {
  Chain chain;
  ChainLayout layout;

  /// The link that leads to the node at `position`: what a chase holds when it stands there. `address_base`, the address of byte 0, is
  /// used with pointers only.
  std::uint64_t link_to(std::uint64_t position, std::uint64_t address_base) const;
  /// The position at which a chase that holds this link stands.
  std::uint64_t position_of(std::uint64_t link, std::uint64_t address_base) const;

  bool operator==(const ChainImage&) const = default;
};

}  // namespace percycle

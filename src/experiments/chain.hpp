#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace percycle {

/// The order in which a chain visits its nodes.
enum class ChainOrder {
  random,      ///< no two steps related
  sequential,  ///< node after node: shows prefetch and TLB effects
};

/// One cycle through nodes 0 .. nodes-1, known in closed form.
///
/// position -> place(position) is a seeded bijection of [0, nodes), and the chain links place(i) to place(i + 1 mod nodes): whatever the
/// bijection, that is a single cycle. It is made of multiply-adds and xor-shifts modulo the next power of two, each of which is invertible
/// (the construction of the PCG output permutations: O'Neill, "PCG", HMC-CS-2014-0905, section 5.4), and a result outside [0, nodes) is
/// mapped again until it falls inside ("cycle walking": Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002, method 2).
/// Kernel pair `chain` holds the same arithmetic, so a device builds any chain in parallel and the host knows every end without a walk.
class Chain {
 public:
  /// A chain of `nodes` (2 to 2^31) nodes. Throws std::invalid_argument outside that range.
  Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }

  /// The node at `position` (taken modulo nodes).
  std::uint32_t place(std::uint64_t position) const;

  /// The position of a node: the inverse of place.
  std::uint32_t position(std::uint32_t node) const;

  /// The words `nodes mask shift multiply[4] add[4] inverse[4]` of the kernels' parameter block.
  std::vector<std::uint32_t> kernel_words() const;

 private:
  std::uint32_t mix(std::uint32_t x) const;
  std::uint32_t unmix(std::uint32_t x) const;

  std::uint32_t nodes_;
  std::uint32_t mask_;
  std::uint32_t shift_;
  std::array<std::uint32_t, 4> multiply_{1, 1, 1, 1};
  std::array<std::uint32_t, 4> add_{};
  std::array<std::uint32_t, 4> inverse_{1, 1, 1, 1};
};

}  // namespace percycle

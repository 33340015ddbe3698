#pragma once

#include <array>
#include <cstdint>

namespace percycle {

inline constexpr std::uint32_t kLatticeDirections = 19;

/// Bytes that a step must move for a cell: each population is read once and written once.
inline constexpr std::uint32_t kLatticeBytes = 2 * kLatticeDirections * 4;

/// Floating-point operations of a cell in kernel pair `lattice_boltzmann`; a multiply-add counts
/// two.
inline constexpr double kLatticeFlops = 177;

/// The rate at which populations approach their equilibrium in a step.
inline constexpr float kLatticeOmega = 1.5f;

/// Largest difference between a population of the kernel and the host's, whose sums have another
/// order and more digits: 8 units in the last place of 1.
inline constexpr double kLatticeTolerance = 0x1p-20;

/// A periodic box of cells, x fastest, whose sides are powers of two; one array per direction.
struct Lattice {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
  std::uint32_t salt = 0;  ///< of the populations before the step

  std::uint32_t cells() const { return width * height * depth; }
  /// Words from one array to the next. Powers of two would lead to the same sets and channels.
  std::uint32_t stride() const { return cells() + 64; }
};

/// The box of 2^bits cells with sides as equal as possible.
Lattice lattice_of(std::uint32_t bits, std::uint32_t salt);

/// A population before the step. It is a whole number of 2^-20, so a float holds it exactly.
double lattice_population(const Lattice& lattice, std::uint32_t direction, std::uint32_t cell);

/// The populations of a cell after a step of D3Q19 with the collision of Bhatnagar, Gross and
/// Krook.
std::array<double, kLatticeDirections> lattice_step(const Lattice& lattice, std::uint32_t cell);

}  // namespace percycle

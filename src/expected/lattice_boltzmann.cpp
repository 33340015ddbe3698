#include "expected/lattice_boltzmann.hpp"

#include "core/data_words.hpp"

namespace percycle {
namespace {

/// FluidX3D's order: opposite directions follow each other.
constexpr std::array<std::array<int, 3>, kLatticeDirections> kVelocities{{{0, 0, 0},
                                                                          {1, 0, 0},
                                                                          {-1, 0, 0},
                                                                          {0, 1, 0},
                                                                          {0, -1, 0},
                                                                          {0, 0, 1},
                                                                          {0, 0, -1},
                                                                          {1, 1, 0},
                                                                          {-1, -1, 0},
                                                                          {1, 0, 1},
                                                                          {-1, 0, -1},
                                                                          {0, 1, 1},
                                                                          {0, -1, -1},
                                                                          {1, -1, 0},
                                                                          {-1, 1, 0},
                                                                          {1, 0, -1},
                                                                          {-1, 0, 1},
                                                                          {0, 1, -1},
                                                                          {0, -1, 1}}};

constexpr double kUnit = 0x1p-20;
constexpr std::uint32_t kVariation = 0xfff;  // units; below a seventh of the smallest population

constexpr double weight(std::uint32_t direction) { return direction == 0 ? 1.0 / 3 : direction < 7 ? 1.0 / 18 : 1.0 / 36; }

/// A place that lies one step (-1, 0 or 1) against the velocity, in a periodic side.
std::uint32_t upstream(std::uint32_t place, int velocity, std::uint32_t side) {
  return (place + side - static_cast<std::uint32_t>(velocity)) & (side - 1);
}

}  // namespace

Lattice lattice_of(std::uint32_t bits, std::uint32_t salt) {
  return {.width = 1u << ((bits + 2) / 3), .height = 1u << ((bits + 1) / 3), .depth = 1u << (bits / 3), .salt = salt};
}

double lattice_population(const Lattice& lattice, std::uint32_t direction, std::uint32_t cell) {
  const std::uint32_t units = direction == 0 ? 349525 : direction < 7 ? 58254 : 29127;
  return kUnit * (units + (lowbias32((direction * lattice.stride() + cell) ^ lattice.salt) & kVariation));
}

std::array<double, kLatticeDirections> lattice_step(const Lattice& lattice, std::uint32_t cell) {
  const std::uint32_t x = cell % lattice.width;
  const std::uint32_t y = cell / lattice.width % lattice.height;
  const std::uint32_t z = cell / lattice.width / lattice.height;
  std::array<double, kLatticeDirections> populations{};
  double density = 0;
  std::array<double, 3> flow{};
  for (std::uint32_t i = 0; i < kLatticeDirections; ++i) {
    const auto& velocity = kVelocities[i];
    const std::uint32_t source =
        upstream(x, velocity[0], lattice.width) +
        lattice.width * (upstream(y, velocity[1], lattice.height) + lattice.height * upstream(z, velocity[2], lattice.depth));
    populations[i] = lattice_population(lattice, i, source);
    density += populations[i];
    for (std::size_t axis = 0; axis < flow.size(); ++axis) flow[axis] += velocity[axis] * populations[i];
  }
  double square = 0;
  for (double& component : flow) {
    component /= density;
    square += component * component;
  }
  for (std::uint32_t i = 0; i < kLatticeDirections; ++i) {
    double along = 0;
    for (std::size_t axis = 0; axis < flow.size(); ++axis) along += kVelocities[i][axis] * flow[axis];
    const double equilibrium = weight(i) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
    populations[i] += double{kLatticeOmega} * (equilibrium - populations[i]);
  }
  return populations;
}

}  // namespace percycle

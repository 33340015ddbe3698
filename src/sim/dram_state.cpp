#include "sim/dram_state.hpp"

namespace percycle::sim {

DramState::DramState(const DramRows& rows) : rows_(rows), open_(rows.banks) {}

double DramState::open(std::uint64_t address) {
  const std::uint64_t row = address / rows_.row_bytes;
  std::uint64_t& open = open_[row % rows_.banks];
  if (open == row + 1) return 0;
  open = row + 1;
  return rows_.row_cycles;
}

}  // namespace percycle::sim

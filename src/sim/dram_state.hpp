#pragma once

#include <cstdint>
#include <vector>

#include "sim/model.hpp"

namespace percycle::sim {

/// The open row of each bank of the device's memory; at first none.
class DramState {
 public:
  explicit DramState(const DramRows& rows);

  /// Opens the row of a physical address. Returns the cycles that this takes: 0 if it is open.
  double open(std::uint64_t address);

 private:
  DramRows rows_;
  std::vector<std::uint64_t> open_;  ///< of each bank: row number + 1; 0: none
};

}  // namespace percycle::sim

#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// A check that spoils figures of a run.
struct SpoilingCheck {
  std::string name;  ///< "timer", or "timer (doctor, 2026-11-21)"
  std::string text;
};

/// The doubtful checks of the run itself, and of the latest `doctor` before it those that the run
/// did not make.
std::vector<SpoilingCheck> spoiling_checks(const Header& header);

}  // namespace percycle

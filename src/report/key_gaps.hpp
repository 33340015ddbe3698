#pragma once

#include <string>

#include "report/key_figures.hpp"

namespace percycle {

/// Why a card has no value of a row: "not measured", "not stated", "not found", "measured without
/// it", or the status and reason of its points: "unsupported: no FP64".
std::string gap_words(const KeyRow& row, const KeyColumn& card);

}  // namespace percycle

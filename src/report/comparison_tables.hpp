#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/comparison.hpp"

namespace percycle {

/// The questions with answers from several sides, by experiment. A published figure stands beside
/// one measured question: that with its parameters, else, of the questions that have all of them,
/// the one with the best value. A figure of a whole device stands beside no question with a `test`
/// that the document does not name. A figure of a card in a state (`clock_setting`, a mode of its
/// kernel) has a row of its own.
std::map<std::string, std::vector<TableRow>> comparison_tables(const std::vector<Side>& sides);

}  // namespace percycle

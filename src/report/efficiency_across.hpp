#pragma once

#include <string>

#include "report/key_figures.hpp"
#include "report/text_table.hpp"

namespace percycle {

/// The shares of their limits: a row per card, a column per figure with a limit. If the APIs of a
/// card differ, both shares stand in a cell. Cards and figures without shares are left out; the
/// table has no rows if none has one.
TextTable efficiency_across(const KeyFigures& figures);

/// The table as comma-separated values.
std::string to_csv(const TextTable& table);

}  // namespace percycle

#pragma once

#include <vector>

#include "charts/chart.hpp"
#include "report/key_figures.hpp"

namespace percycle {

/// A bar per card for one row of the table, the best first, with its limit as a mark, its share of
/// the limit as text and the spread of its samples. A card whose APIs differ has a bar for each.
/// Remarks name the cards without the figure.
Chart card_bars(const KeyFigures& figures, const KeyRow& row);

/// A chart for each rate, latency and size that several bars have, in this order. `figures`:
/// key_figures(columns, KeyDepth::devices).
std::vector<Chart> card_bar_charts(const KeyFigures& figures);

}  // namespace percycle

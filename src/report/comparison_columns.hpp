#pragma once

#include <deque>
#include <string>
#include <vector>

#include "limits/limits.hpp"
#include "report/comparison.hpp"
#include "report/key_figures.hpp"

namespace percycle {

/// The cards of a comparison as columns of the table of key figures.
struct ComparedCards {
  std::deque<ReportDevice> devices;  ///< a side each
  std::vector<KeyColumn> columns;    ///< in the order of the files
  std::vector<std::string> sides;    ///< of each column: "A, B"
};

/// A column per card and state: sides of one card through two APIs share it. Reads only the points
/// that a key figure may come from.
ComparedCards compared_cards(const RunComparison& comparison, const LimitsCatalogue& catalogue);

/// The columns of a first screen, at most `most`, in their order. Several cards of one name are
/// often one file's parts: those with less than half the figures of the fullest are left out. If
/// there are too many, documents and then the emptiest cards leave.
std::vector<std::size_t> shown_columns(const KeyFigures& figures, const ComparedCards& cards, std::size_t most);

}  // namespace percycle

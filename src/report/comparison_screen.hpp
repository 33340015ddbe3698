#pragma once

#include <cstddef>
#include <string>

#include "report/comparison_columns.hpp"

namespace percycle {

/// The lines and columns of the first screen.
struct ScreenSize {
  std::size_t columns = 100;
  std::size_t lines = 43;
  bool has_all_cards = false;  ///< wider, if the cards need it
};

/// The first screen of a comparison: the table of key figures, its marks, the files of its columns
/// if two of them have one name, the changes of each device that was measured twice, and the
/// number of cards left out.
std::string comparison_screen(const RunComparison& comparison, const ComparedCards& cards, const KeyFigures& figures,
                              const ScreenSize& size);

}  // namespace percycle

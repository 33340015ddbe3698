#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/key_figures.hpp"

namespace percycle {

/// "Jia" of "Jia, Maggioni: Dissecting ...".
std::string author_of(const Publication& publication);

/// The name of a measured CPU; empty for others. Its driver calls it by its own name, each API's
/// another one: its identity says what it is.
std::string cpu_name(const Header& header);

/// Devices as columns of a table of cards.
struct CardColumns {
  std::vector<KeyColumn> columns;      ///< in the order of their first devices
  std::vector<std::size_t> of_device;  ///< by device
};

/// A column per card and state: devices that are one card through two APIs share it. A title is the
/// card's name without its vendor's; a document's year tells it from a run. Titles may be equal.
CardColumns card_columns(const std::vector<const ReportDevice*>& devices);

/// The columns of a report. A CPU has the name of its silicon. Documents of one year about one card
/// have their authors in the title, and no two titles are equal.
std::vector<KeyColumn> report_columns(const ReportData& data);

}  // namespace percycle

#pragma once

#include <string>

#include "report/card_list.hpp"
#include "site/site_cards.hpp"

namespace percycle {

/// The page with a row for each card: a table that needs no script to be read.
std::string index_page(const CardList& list);

/// The page that compares cards, from data/cards.js and the scripts of the cards.
std::string compare_page(const CardList& list);

/// The page of a card: its key figures, its runs and downloads as HTML, and the report's charts and
/// tables from data.js. `table_files`: names in its folder.
std::string card_page(const SiteCard& card, const std::vector<std::string>& table_files);

/// The columns of the table of key figures that a card fills: the last device of each API.
std::vector<const ReportDevice*> key_devices(const ReportData& data);

}  // namespace percycle

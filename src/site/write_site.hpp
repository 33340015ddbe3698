#pragma once

#include <deque>
#include <filesystem>

#include "site/site_cards.hpp"
#include "site/site_folder.hpp"

namespace percycle {

/// Writes the pages, data and records of the cards into a folder: index.html, compare.html,
/// cards/SLUG/, data/ and assets/. Throws RunError.
SiteChanges write_site(std::deque<SiteCard> cards, const std::filesystem::path& folder);

}  // namespace percycle

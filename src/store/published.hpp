#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/load.hpp"

namespace percycle {

/// `published:NAME` in the place of a record file stands for the published figures of a card.
constexpr std::string_view kPublishedPrefix = "published:";

/// A card of which documents give figures that this binary has.
struct PublishedCard {
  std::string name;
  std::string vendor;
  std::vector<std::string> documents;    ///< "AUTHORS: TITLE, YEAR", each once
  std::vector<std::string> experiments;  ///< each once
};

/// All of them, by vendor and name.
std::vector<PublishedCard> published_cards();

/// All figures of the card, in the order of the files. Ignores case. Throws UsageError with similar
/// names for a card without any.
LoadedFile load_published(std::string_view name);

}  // namespace percycle

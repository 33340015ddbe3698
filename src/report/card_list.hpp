#pragma once

#include <string>
#include <vector>

#include "core/source.hpp"
#include "report/key_figures.hpp"

namespace percycle {

/// A card of a site.
struct ListedCard {
  std::string slug;  ///< names its files: "nvidia-h200-3f2a1c"
  std::string title;
  Source source = Source::measured;
  std::string vendor;
  std::string architecture;       ///< empty if unknown
  std::string identity;           ///< of its silicon or the word of `share`; empty for a document
  std::string document;           ///< that prints its figures; empty for a run
  std::vector<std::string> apis;  ///< "OpenCL", "Vulkan", "simulated"

  /// The address of its page and of its records, from the site's folder.
  std::string page() const { return "cards/" + slug + "/index.html"; }
  std::string records() const { return "data/" + slug + ".jsonl.gz"; }
};

/// The cards of a site: card i has column i of the figures.
struct CardList {
  std::vector<ListedCard> cards;
  KeyFigures figures;
};

}  // namespace percycle

#pragma once

#include <cstddef>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "limits/limits.hpp"
#include "report/card_list.hpp"
#include "report/report_data.hpp"
#include "store/load.hpp"
#include "store/share.hpp"

namespace percycle {

/// A card whose records are being collected.
struct SiteCard {
  ListedCard listed;
  std::string word;                              ///< tells it from cards of its name: "3f2a1c"
  std::string records;                           ///< a .jsonl.gz, of all `packed`
  std::vector<std::future<std::string>> packed;  ///< until then: the part of each file
  std::size_t lines = 0;                         ///< of the records
  bool is_cpu = false;
  std::unique_ptr<ReportCollector> collector;  ///< until its page is written
  ReportData data;                             ///< afterwards
};

/// The cards of record files: a card for each piece of silicon, and for each card of a document.
class SiteCards {
 public:
  /// `sharer`: empty if the records keep what identifies a card.
  SiteCards(const LimitsCatalogue& catalogue, std::optional<Sharer> sharer) : catalogue_(catalogue), sharer_(std::move(sharer)) {}

  /// Adds a file as load() read it. Throws UsageError for a run that another file holds, and for
  /// records that cannot be shared.
  void add(LoadedFile file);

  /// All cards with titles that tell them apart: measured GPUs, then CPUs, then documents; of one
  /// name the card with the most points first. Call it after the last file.
  std::deque<SiteCard> finish();

 private:
  void check_runs(const LoadedFile& file);
  void share(LoadedFile& file);
  std::size_t card_of(const Header& header);

  const LimitsCatalogue& catalogue_;
  std::optional<Sharer> sharer_;
  std::map<std::string, std::string> file_of_;  ///< by run
  std::map<std::string, std::size_t> card_of_;  ///< by what makes it one card
  std::deque<SiteCard> cards_;
};

}  // namespace percycle

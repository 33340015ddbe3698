#include "site/site_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/printable.hpp"
#include "report/card_columns.hpp"
#include "store/gzip.hpp"
#include "store/record_json.hpp"
#include "store/set_aside.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLongestCardName = 60;
constexpr std::size_t kLongestAuthor = 40;
constexpr std::size_t kKeyDigits = 6;

/// Equal for headers of the same card: its silicon, or its document.
std::string card_key(const Header& header) {
  if (header.published()) return fmt::format("{}\n{}", header.publication->document, header.device.name);
  return header.identity;
}

std::string card_word(const std::string& key) { return hex64(fnv1a(key)).substr(0, kKeyDigits); }

ListedCard listed_card(const Header& header) {
  ListedCard card;
  card.title = printable(header.device.name, kLongestCardName);
  if (header.published())
    card.title += fmt::format(" ({} {})", printable(author_of(*header.publication), kLongestAuthor), header.publication->year);
  else if (const std::string cpu = cpu_name(header); !cpu.empty())
    card.title = cpu;
  card.slug = fmt::format("{}-{}", slug_of(card.title), card_word(card_key(header)));
  card.source = header.source();
  card.vendor = printable(header.device.vendor, kLongestCardName);
  card.architecture = printable(header.architecture, kLongestCardName);
  card.identity = printable(header.identity);
  if (header.published()) card.document = printable(header.publication->document);
  return card;
}

/// A line as a record, for sharing.
Entry entry_of(Record&& record) {
  return std::visit(
      [](auto&& line) -> Entry {
        if constexpr (std::is_same_v<std::decay_t<decltype(line)>, Header>)
          throw std::logic_error("a header is no entry");
        else
          return std::forward<decltype(line)>(line);
      },
      std::move(record));
}

const std::string& run_of(const Entry& entry) {
  return std::visit([](const auto& line) -> const std::string& { return line.header; }, entry);
}

std::string line_of_record(const Record& record) { return to_line(to_json(record)) + '\n'; }

}  // namespace

void SiteCards::check_runs(const LoadedFile& file) {
  for (const Header& header : file.headers) {
    const auto [place, is_new] = file_of_.emplace(header.id, file.path.string());
    if (!is_new)
      throw UsageError(fmt::format("{}: holds the run {} again, which {} holds", file.path.string(), header.id, place->second));
  }
}

void SiteCards::share(LoadedFile& file) {
  if (!sharer_) return;
  try {
    for (Header& header : file.headers) header = std::get<Header>(sharer_->share(header));
    for (Entry& entry : file.entries) entry = entry_of(std::visit([&](const auto& line) { return sharer_->share(line); }, entry));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: cannot be shared: {}", file.path.string(), error.what()));
  }
}

std::size_t SiteCards::card_of(const Header& header) {
  const auto [place, is_new] = card_of_.emplace(card_key(header), cards_.size());
  if (is_new) {
    SiteCard& card = cards_.emplace_back();
    card.listed = listed_card(header);
    card.word = card_word(card_key(header));
    card.collector = std::make_unique<ReportCollector>(catalogue_);
    card.is_cpu = header.device.type == DeviceType::cpu;
  }
  std::vector<std::string>& apis = cards_[place->second].listed.apis;
  const std::string api(header.published() ? "" : api_words(header.device.api));
  if (!api.empty() && std::ranges::find(apis, api) == apis.end()) apis.insert(std::ranges::lower_bound(apis, api), api);
  return place->second;
}

void SiteCards::add(LoadedFile file) {
  check_runs(file);
  share(file);
  std::map<std::string, std::size_t> card_of_run;
  std::map<std::size_t, std::string> texts;
  std::map<std::size_t, LoadedFile> parts;
  for (const Header& header : file.headers) {
    const std::size_t card = card_of_run[header.id] = card_of(header);
    texts[card] += line_of_record(header);
  }
  const auto is_left_out = [&](const Entry& entry) {
    return sharer_ && std::visit([](const auto& line) { return maps_chip(line); }, entry);
  };
  for (const Entry& entry : file.entries) {
    if (is_left_out(entry)) continue;
    const std::size_t card = card_of_run.at(run_of(entry));
    ++cards_[card].lines;
    std::visit([&](const auto& line) { texts[card] += line_of_record(line); }, entry);
  }
  for (auto& [card, text] : texts)
    cards_[card].packed.push_back(std::async(std::launch::async, [text = std::move(text)] { return gzip(text); }));
  set_aside_impossible(file);
  for (Header& header : file.headers) parts[card_of_run.at(header.id)].headers.push_back(std::move(header));
  for (Entry& entry : file.entries) {
    if (!is_left_out(entry)) parts[card_of_run.at(run_of(entry))].entries.push_back(std::move(entry));
  }
  for (auto& [card, part] : parts) {
    part.path = cards_[card].listed.records();
    cards_[card].collector->add(std::move(part));
  }
}

std::deque<SiteCard> SiteCards::finish() {
  std::ranges::stable_sort(cards_, {}, [](const SiteCard& card) {
    return std::tuple(card.listed.source == Source::published, card.is_cpu, card.listed.vendor, card.listed.title,
                      -static_cast<std::ptrdiff_t>(card.lines));
  });
  std::map<std::string, std::size_t> titles;
  for (const SiteCard& card : cards_) ++titles[card.listed.title];
  for (SiteCard& card : cards_) {
    if (titles[card.listed.title] > 1) card.listed.title += ' ' + card.word;
  }
  return std::move(cards_);
}

}  // namespace percycle

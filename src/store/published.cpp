#include "store/published.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "json/parse.hpp"
#include "limits/close_names.hpp"
#include "store/published_text.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

/// Calls `take` with each line of all embedded files.
template <typename Take>
void for_each_line(const Take& take) {
  for (const std::string_view file : published_text_names()) {
    std::string_view text = published_text(file);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(from_json<Record>(parse_json(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

UsageError unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const PublishedCard& card : published_cards()) names.push_back(card.name);
  const auto close = close_names(name, names);
  return UsageError(fmt::format(
      "{}{}: there are no published figures of this card; {}", kPublishedPrefix, name,
      close.empty() ? "percycle list --published names all cards" : fmt::format("did you mean: {}", fmt::join(close, ", "))));
}

}  // namespace

std::vector<PublishedCard> published_cards() {
  std::map<std::string, PublishedCard> cards;       // by name
  std::map<std::string, PublishedCard*> of_header;  // by the header's id
  for_each_line([&](const Record& record) {
    if (const auto* header = std::get_if<Header>(&record)) {
      PublishedCard& card = cards[header->device.name];
      card.name = header->device.name;
      card.vendor = header->device.vendor;
      add_once(card.documents, fmt::format("{}, {}", header->publication->document, header->publication->year));
      of_header[header->id] = &card;
    } else if (const auto* point = std::get_if<PointRecord>(&record)) {
      add_once(of_header.at(point->header)->experiments, point->result.point.experiment);
    }
  });
  std::vector<PublishedCard> sorted;
  for (auto& [name, card] : cards) sorted.push_back(std::move(card));
  std::ranges::stable_sort(sorted, {}, &PublishedCard::vendor);
  return sorted;
}

LoadedFile load_published(std::string_view name) {
  LoadedFile file;
  file.path = fmt::format("{}{}", kPublishedPrefix, name);
  const std::string wanted = lower_case(name);
  std::set<std::string> headers;
  for_each_line([&](Record&& record) {
    if (auto* header = std::get_if<Header>(&record)) {
      if (lower_case(header->device.name) != wanted) return;
      headers.insert(header->id);
      file.headers.push_back(std::move(*header));
    } else if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && headers.contains(point->header)) {
      file.entries.emplace_back(std::move(*point));
    }
  });
  if (file.headers.empty()) throw unknown(name);
  return file;
}

}  // namespace percycle

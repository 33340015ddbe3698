#include "charts/card_bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/printable.hpp"

namespace percycle {
namespace {

constexpr std::size_t kFewestCards = 3;

/// Source, name of the card, API, driver, and the parameters of the line.
using Kind = std::tuple<Source, std::string, Api, std::string, std::string>;

/// Empty if the lines have too few places in common: fewer than half of the longest line's.
std::optional<Line> band_of(const std::vector<Line>& lines) {
  const Line& first = lines.front();
  const DeviceInfo& info = first.device->header().device;
  Line band{.series = {.name = fmt::format("{}, {}: {} cards", printable(info.name), api_words(info.api), lines.size()),
                       .source = first.series.source,
                       .points = {}},
            .device = first.device,
            .words = first.words};
  if (!band.words.empty()) band.series.name += ", " + band.words;
  std::map<double, std::vector<double>> values;
  std::size_t longest = 0;
  for (const Line& line : lines) {
    longest = std::max(longest, line.series.points.size());
    band.cards.push_back(line.device->label);
    for (const SeriesPoint& point : line.series.points) values[point.x].push_back(point.y);
  }
  for (auto& [x, ys] : values) {
    if (2 * ys.size() < lines.size()) continue;
    std::ranges::sort(ys);
    band.series.points.push_back({x, ys[ys.size() / 2], SeriesPoint::Spread{ys.front(), ys.back()}});
  }
  if (2 * band.series.points.size() < longest) return std::nullopt;
  return band;
}

Kind kind_of(const Line& line) {
  if (line.device->source == Source::published) return {Source::published, line.series.name, {}, {}, {}};
  const DeviceInfo& info = line.device->header().device;
  return {line.device->source, info.name, info.api, info.driver, line.words};
}

}  // namespace

std::vector<Line> with_bands(std::vector<Line> lines) {
  std::vector<std::pair<Kind, std::vector<Line>>> kinds;
  for (Line& line : lines) {
    const Kind kind = kind_of(line);
    auto found = std::ranges::find(kinds, kind, &std::pair<Kind, std::vector<Line>>::first);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
    found->second.push_back(std::move(line));
  }
  std::vector<Line> drawn;
  for (auto& [kind, members] : kinds) {
    const bool is_kind = members.size() >= kFewestCards && std::get<Source>(kind) != Source::published;
    if (auto band = is_kind ? band_of(members) : std::nullopt) {
      const bool is_taken = std::ranges::any_of(drawn, [&](const Line& line) { return line.series.name == band->series.name; });
      if (is_taken) band->series.name += ", driver " + printable(std::get<3>(kind));
      drawn.push_back(*std::move(band));
    } else {
      std::ranges::move(members, std::back_inserter(drawn));
    }
  }
  return drawn;
}

}  // namespace percycle

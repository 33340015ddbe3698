#include "charts/drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "core/figures.hpp"
#include "presentation/common_words.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLongestWords = 40;  // of a value in a file name

std::string slug_words(std::string text) {
  text.resize(std::min(text.size(), kLongestWords));
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  }
  return text;
}

/// Names of parameters have underscores. Documents mark instructions on signed and unsigned numbers
/// in braces.
std::string readable(std::string text) {
  std::ranges::replace(text, '_', ' ');
  for (const auto& [mark, word] : {std::pair("{s} ", "signed "), std::pair("{u} ", "unsigned ")}) {
    if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, 4, word);
  }
  return text;
}

/// The words for a value; empty if these words have none.
std::optional<std::string> words_among(std::span<const ValueWords> words, const std::string& name, const std::string& value) {
  for (const ValueWords& known : words) {
    if (known.parameter != name || (!known.value.empty() && known.value != value)) continue;
    const std::size_t place = known.words.find("{}");
    return place == std::string::npos ? known.words : std::string(known.words).replace(place, 2, value);
  }
  return std::nullopt;
}

std::string value_words(const PointRow& row, const std::string& name) {
  const Cell* cell = find_parameter(row, name);
  if (!cell || !row.about) return parameter_words(row, name);
  const std::string value = text_of(*cell, is_bytes(name) ? Format::bytes : Format::plain);
  if (auto own = words_among(row.about->words, name, value)) return *own;
  if (auto common = words_among(common_words(), name, value)) return *common;
  return readable(parameter_words(row, name));
}

}  // namespace

std::vector<ChartPart> parts_of(std::size_t count, std::size_t most) {
  const std::size_t all = (count + most - 1) / most;
  if (all == 1) return {{.end = {}, .first = 0, .count = count}};
  std::vector<ChartPart> parts;
  for (std::size_t i = 0; i < all; ++i)
    parts.push_back(
        {{fmt::format("-{}", i + 1), fmt::format(" ({} of {})", i + 1, all)}, i * most, std::min(most, count - i * most)});
  return parts;
}

ChartName of_device(const ReportDevice& device) { return {'-' + device.slug, ": " + device.label}; }

std::string figure_words(std::string_view experiment, const std::vector<DeviceRows>& devices, std::string_view figure) {
  return figure_title(figure, unit_words(presentation_of(experiment), together(devices)));
}

std::vector<DeviceRows> rows_that(const std::vector<DeviceRows>& devices,
                                  const std::function<bool(const ReportDevice&, const PointRow&)>& is_drawn) {
  std::vector<DeviceRows> chosen;
  for (const auto& [device, rows] : devices) {
    DeviceRows drawn{device, {}};
    std::ranges::copy_if(rows, std::back_inserter(drawn.second),
                         [&](const PointRow* row) { return is_drawn(*drawn.first, *row); });
    if (!drawn.second.empty()) chosen.push_back(std::move(drawn));
  }
  return chosen;
}

std::vector<const PointRow*> together(const std::vector<DeviceRows>& devices) {
  std::vector<const PointRow*> joined;
  for (const auto& [device, rows] : devices) joined.insert(joined.end(), rows.begin(), rows.end());
  return joined;
}

std::map<std::vector<std::string>, std::vector<DeviceRows>> split_by(const std::vector<DeviceRows>& devices,
                                                                     const std::vector<std::string>& names) {
  std::map<std::vector<std::string>, std::vector<DeviceRows>> groups;
  for (const auto& [device, rows] : devices) {
    for (const PointRow* row : rows) {
      std::vector<std::string> key;
      for (const std::string& name : names) key.push_back(parameter_words(*row, name));
      auto& group = groups[key];
      if (group.empty() || group.back().first != device) group.emplace_back(device, std::vector<const PointRow*>());
      group.back().second.push_back(row);
    }
  }
  return groups;
}

std::string chart_words(const PointRow& row, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const std::string words = value_words(row, name);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

ChartName with_values(ChartName group, const std::vector<std::string>& values, const std::string& words) {
  for (const std::string& value : values) {
    if (!value.empty()) group.name += '-' + slug_words(value);
  }
  if (!words.empty()) group.title += (group.title.starts_with(": ") ? ", " : ": ") + words;
  return group;
}

std::string split_words(const std::vector<DeviceRows>& devices, const std::vector<std::string>& names) {
  return chart_words(*devices.front().second.front(), names);
}

std::string_view figure_of(const std::vector<DeviceRows>& devices, const std::vector<std::string>& figures) {
  for (const std::string& name : figures) {
    for (const auto& [device, rows] : devices) {
      if (std::any_of(rows.begin(), rows.end(), [&](const PointRow* row) { return figure(*row, name).has_value(); })) return name;
    }
  }
  return {};
}

std::string without_words(const std::vector<DeviceRows>& devices, std::string_view figure_name, const std::string& title) {
  std::vector<std::string> labels;
  for (const auto& [device, rows] : devices) {
    const bool has_any = std::ranges::any_of(rows, [&](const PointRow* row) { return figure(*row, figure_name).has_value(); });
    if (!has_any && device->source != Source::published) labels.push_back(device->label);
  }
  return labels.empty() ? "" : fmt::format("No {}: {}.", title, fmt::join(labels, "; "));
}

std::vector<DeviceRows> beside_measured(const std::vector<DeviceRows>& devices, const std::vector<PublishedPlace>& places,
                                        std::deque<PointRow>& copies) {
  const auto is_measured = [&](const PublishedPlace& place) {
    return std::ranges::any_of(devices, [&](const DeviceRows& drawn) {
      return drawn.first->source != Source::published &&
             std::ranges::any_of(drawn.second, [&](const PointRow* row) { return has_words(*row, place.measured); });
    });
  };
  std::vector<PublishedPlace> taken;
  std::ranges::copy_if(places, std::back_inserter(taken), is_measured);
  if (taken.empty()) return devices;

  std::vector<DeviceRows> placed;
  for (const auto& [device, rows] : devices) {
    if (device->source != Source::published) {
      placed.emplace_back(device, rows);
      continue;
    }
    std::vector<const PointRow*> kept;
    for (const PointRow* row : rows) {
      const std::size_t before = kept.size();
      for (const PublishedPlace& place : taken) {
        if (row->parameters.size() != place.published.size() || !has_words(*row, place.published)) continue;
        PointRow& copy = copies.emplace_back(*row);
        for (const auto& [name, words] : place.measured) copy.parameters[name] = words;
        kept.push_back(&copy);
      }
      if (kept.size() == before) kept.push_back(row);
    }
    placed.emplace_back(device, std::move(kept));
  }
  return placed;
}

}  // namespace percycle

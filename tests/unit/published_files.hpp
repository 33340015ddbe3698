#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "source_folders.hpp"
#include "store/load.hpp"

namespace percycle::published {

/// A point of results/published with its file and header.
struct Figure {
  const Header* header = nullptr;
  const PointResult* result = nullptr;

  const Parameters& parameters() const { return result->point.parameters; }
  const std::string& experiment() const { return result->point.experiment; }
  const std::string& device() const { return header->device.name; }
  const std::string& place() const { return header->publication->place; }

  /// The word or number of a parameter as text; empty if it is absent.
  std::string parameter(const std::string& name) const {
    const auto found = parameters().find(name);
    return found == parameters().end() ? std::string() : to_string(found->second);
  }

  std::optional<double> median(const std::string& statistic) const {
    const auto& all = result->measurement->statistics;
    const auto found = all.find(statistic);
    return found == all.end() ? std::nullopt : std::optional(found->second.median);
  }

  /// The printed form; empty if the number has all of it.
  std::string printed(const std::string& name) const {
    const auto& all = result->measurement->printed;
    const auto found = all.find(name);
    return found == all.end() ? std::string() : found->second;
  }
};

/// All files, each once, by name without ".jsonl".
inline const std::map<std::string, LoadedFile>& files() {
  static const auto all = [] {
    std::map<std::string, LoadedFile> loaded;
    for (const auto& each : std::filesystem::directory_iterator(published_folder())) {
      loaded.emplace(each.path().stem().string(), load(each.path()));
    }
    return loaded;
  }();
  return all;
}

/// The figures of the files with this prefix, in order.
inline std::vector<Figure> figures(const std::string& file = {}) {
  std::vector<Figure> all;
  for (const auto& [name, loaded] : files()) {
    if (!name.starts_with(file)) continue;
    std::map<std::string, const Header*> header_of;
    for (const Header& header : loaded.headers) header_of[header.id] = &header;
    for (const Entry& entry : loaded.entries) {
      const auto& point = std::get<PointRecord>(entry);
      all.push_back({header_of.at(point.header), &point.result});
    }
  }
  return all;
}

/// The digits of the figure in a printed text, without commas between thousands: "247.89" from
/// "9915.62/40 = 247.89", "4096" from "~4,096 KiB". Empty if there are none.
inline std::string digits(std::string text) {
  if (const auto equals = text.rfind("= "); equals != std::string::npos) text.erase(0, equals);
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  std::smatch match;
  return std::regex_search(text, match, std::regex(R"(\d+(\.\d+)?)")) ? match.str() : std::string();
}

/// Whether rounding or truncating `value` gives the digits.
inline bool prints_as(double value, const std::string& digits) {
  const auto point = digits.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
  const double scale = std::pow(10, decimals);
  const double last = std::round(std::stod(digits) * scale);
  // A half counts as a half although 0.05 has no exact binary form.
  return std::floor(value * scale + 1e-9) == last || std::floor(value * scale + 0.5 + 1e-9) == last;
}

}  // namespace percycle::published

#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace percycle {

struct ChartName {
  std::string name{};   ///< file name without suffix: letters, digits and hyphens
  std::string title{};  ///< one line

  /// With the end of another name and title.
  ChartName operator+(const ChartName& end) const { return {name + end.name, title + end.title}; }
};

/// A chart in the light theme: a Vega-Lite specification
/// (https://vega.github.io/vega-lite/docs/spec.html) with its data.
struct Chart : ChartName {
  std::string description;  ///< text alternative
  nlohmann::json spec;
  std::vector<std::string> remarks{};  ///< sentences below it
  std::vector<std::string> devices{};  ///< if its values do not name theirs as series
  /// The devices behind each series that stands for several.
  std::map<std::string, std::vector<std::string>> bands{};
  std::size_t marks = 0;   ///< points, bars or cells drawn
  std::size_t points = 0;  ///< all of them: more than `marks` if it was thinned out
};

}  // namespace percycle

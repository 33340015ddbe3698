#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace percycle {

/// A chart as a Vega-Lite specification (https://vega.github.io/vega-lite/docs/spec.html) with its data, in the light theme.
struct Chart {
  std::string name;         ///< of its files: letters, digits and hyphens
  std::string title;        ///< one line
  std::string description;  ///< what can be seen, for those who cannot see it
  nlohmann::json spec;
  std::size_t marks = 0;   ///< points, bars or cells that it draws
  std::size_t points = 0;  ///< that there are: more than `marks` where it was thinned out for drawing
};

}  // namespace percycle

#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "charts/chart.hpp"
#include "charts/series.hpp"

namespace percycle {

/// The number of series that a chart can distinguish.
inline constexpr std::size_t kMostSeries = 7;

enum class Theme { light, dark };

/// A Vega-Lite `config`: fonts, greys and series colours. The colours are Okabe and Ito's ("Color
/// Universal Design", 2008), distinguishable with any kind of colour vision, without the one that
/// the background hides.
nlohmann::json theme_config(Theme theme);

/// A chart of these values without marks: size, text alternative, theme, and a mark for each value.
Chart chart_frame(const ChartName& name, std::string description, nlohmann::json values);

/// Encodings of all charts: colour by the field `series`, in the given order; shape and dash by the
/// field `source`, with a legend if there are several.
nlohmann::json series_color(const std::vector<std::string>& names);
nlohmann::json source_shape(std::span<const Series> series);
nlohmann::json source_dash(std::span<const Series> series);

/// Selections: a click on the legend shows one series alone (Shift adds more), dragging and Ctrl
/// with the wheel move and zoom, a double click shows all again.
nlohmann::json series_selection();
nlohmann::json zoom_selection(const nlohmann::json& axes);
nlohmann::json selected_opacity(double selected);

/// Fields with their titles, which a mark shows when pointed at; a field without one is its title.
nlohmann::json tooltip(const std::vector<std::pair<const char*, std::string>>& titles);

/// The colour of a cell by a number, and an axis of a map whose cells have such colours.
nlohmann::json cell_color(const char* field, const std::string& title);
nlohmann::json cell_axis(const char* field, const std::string& title);

/// An axis of bytes in powers of two.
nlohmann::json bytes_axis(const std::string& title);

/// A Vega expression that prints the number of bytes in the expression `value`.
std::string bytes_expression(const std::string& value);

/// The value that stands for several in one cell of a map: the upper median. Reorders them.
double middle(std::vector<double>& values);

/// Five significant digits: more than a screen shows.
double drawn(double value);

/// Four significant digits, more before the point: "18417", "127.5".
std::string digits(double value);

}  // namespace percycle

#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "charts/series.hpp"

namespace percycle {

/// How many series one chart can tell apart.
inline constexpr std::size_t kMostSeries = 7;

enum class Theme { light, dark };

/// A Vega-Lite `config`: fonts, greys, and the colours of series. Those are Okabe and Ito's ("Color Universal Design", 2008), which people with any kind
/// of colour vision can tell apart, without the one that the background swallows.
nlohmann::json theme_config(Theme theme);

/// A specification without its marks: title, size, text alternative and theme.
nlohmann::json chart_frame(const std::string& title, const std::string& description);

/// Encodings that all charts share: colour by the field `series`, in the order given; shape and dash by the field `source`, with a
/// legend where there is more than one.
nlohmann::json series_color(const std::vector<std::string>& names);
nlohmann::json source_shape(std::span<const Series> series);
nlohmann::json source_dash(std::span<const Series> series);

/// Selections: a click on the legend leaves one series alone (with Shift: some), dragging and Ctrl with the wheel move and zoom, a double click
/// shows all again.
nlohmann::json series_selection();
nlohmann::json zoom_selection(const nlohmann::json& axes);
nlohmann::json selected_opacity(double selected);

/// An axis of bytes in powers of two.
nlohmann::json bytes_axis(const std::string& title);

/// A Vega expression that prints a number of bytes: `value` is an expression, too.
std::string bytes_expression(const std::string& value);

/// Five significant digits: more than a screen shows.
double drawn(double value);

}  // namespace percycle

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/figures.hpp"

namespace percycle {

/// A value derived from an unknown input.
struct NotKnown {
  auto operator<=>(const NotKnown&) const = default;
};

/// A value of a table: none, unknown, a number or a text.
using Cell = std::variant<std::monostate, NotKnown, std::int64_t, double, std::string>;

/// The text for tables for people: "" for none, "unknown" for an unknown value.
std::string text_of(const Cell& cell, Format format);

/// All digits, for programs; empty for none and for an unknown value.
std::string exact_text_of(const Cell& cell);

/// Appends the same to a text, without a temporary.
void append_exact_text(std::string& text, const Cell& cell);

/// The value of a number, else empty.
std::optional<double> number_of(const Cell& cell);

/// At least four significant digits, without an exponent for any value of a point.
std::string format_quantity(double value);

}  // namespace percycle

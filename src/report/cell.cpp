#include "report/cell.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/units.hpp"

namespace percycle {

std::string format_quantity(double value) {
  const double size = value < 0 ? -value : value;
  return size >= 1000  ? fmt::format("{:.0f}", value)
         : size >= 100 ? fmt::format("{:.1f}", value)
         : size >= 10  ? fmt::format("{:.2f}", value)
         : size >= 1   ? fmt::format("{:.3f}", value)
                       : fmt::format("{:.4g}", value);
}

std::string text_of(const Cell& cell, Format format) {
  if (std::holds_alternative<NotKnown>(cell)) return "unknown";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    return format == Format::bytes && *whole >= 0 ? format_bytes(static_cast<std::uint64_t>(*whole)) : fmt::format("{}", *whole);
  }
  if (const auto* value = std::get_if<double>(&cell)) {
    return format == Format::percent   ? fmt::format("{:.2f}", *value)
           : format == Format::bytes   ? format_bytes(static_cast<std::uint64_t>(*value))
           : format == Format::rounded ? fmt::format("{:.0f}", *value)
                                       : format_quantity(*value);
  }
  return exact_text_of(cell);
}

std::string exact_text_of(const Cell& cell) {
  std::string text;
  append_exact_text(text, cell);
  return text;
}

void append_exact_text(std::string& text, const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    text += fmt::format_int(*whole).c_str();
  } else if (const auto* value = std::get_if<double>(&cell)) {
    fmt::format_to(std::back_inserter(text), "{}", *value);
  } else if (const auto* words = std::get_if<std::string>(&cell)) {
    text += *words;
  }
}

std::optional<double> number_of(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  return std::nullopt;
}

}  // namespace percycle

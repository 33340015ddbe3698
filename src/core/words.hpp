#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

namespace percycle {

/// A value of an enumeration with its spelling in records, tables and flags.
template <typename Enum>
struct Word {
  Enum value;
  std::string_view text;
};

// Each enumeration with spellings defines `std::span<const Word<Enum>> words(Enum)`, which lists
// all its values.

template <typename Enum>
std::string_view word_of(Enum value) {
  for (const Word<Enum>& each : words(value)) {
    if (each.value == value) return each.text;
  }
  throw std::logic_error("a value that is not of its enumeration");
}

/// The inverse of word_of(); empty if no value has this spelling.
template <typename Enum>
std::optional<Enum> value_of(std::string_view text) {
  for (const Word<Enum>& each : words(Enum{})) {
    if (each.text == text) return each.value;
  }
  return std::nullopt;
}

}  // namespace percycle

#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toml/toml.hpp"

namespace percycle {

/// Parses TOML. Throws UsageError "FILE:LINE: ..." if the text is not valid TOML.
toml::table parse_toml(std::string_view text, std::string_view file);

class StrictTable;

/// Reads the value of a key that is there.
using KeyReader = std::function<void(const StrictTable& table, std::string_view key)>;

/// A key that a table may have.
struct KnownKey {
  KnownKey(std::string_view key, bool is_required = false, bool is_figure = false, KeyReader reader = {})
      : name(key), required(is_required), figure(is_figure), read(std::move(reader)) {}
  KnownKey(const char* key, bool is_required = false) : KnownKey(std::string_view(key), is_required) {}

  std::string_view name;
  bool required;
  bool figure;     ///< a hardware figure, which needs a source
  KeyReader read;  ///< may be empty
};

/// The range of numbers that a key accepts.
struct NumberRange {
  std::string_view words;  ///< "a number above 0"
  bool (*holds)(double);
};

/// Reads one table of a data file strictly: checks each requested key and refuses all others.
/// Refusals are UsageError "FILE:LINE: TITLE: ...", with the line of the key, or of the table if
/// the key is missing.
class StrictTable {
 public:
  /// Refers to `table`. Throws if it has an unknown key or lacks a required one; then reads the
  /// keys in their order. `title` names the table in messages; it may be empty.
  StrictTable(const toml::table& table, std::string_view file, std::string_view title, const std::vector<KnownKey>& keys);

  const std::string& file() const { return file_; }
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* node(std::string_view key) const { return table_.get(key); }
  std::uint32_t line(std::string_view key) const;
  std::uint32_t line() const { return table_.source().begin.line; }

  [[noreturn]] void fail(std::string_view key, std::string_view message) const { fail_at(line(key), message); }
  /// Like fail, at another line.
  [[noreturn]] void fail_at(std::uint32_t line, std::string_view message) const;

  /// A text that is neither empty nor blank.
  std::string text(std::string_view key) const;
  /// text(), or an empty text if the key is absent.
  std::string optional_text(std::string_view key) const { return has(key) ? text(key) : ""; }
  /// A list of at least one text, none empty or blank.
  std::vector<std::string> texts(std::string_view key) const;
  /// A regular expression (ECMAScript, case ignored).
  std::regex pattern(std::string_view key) const;
  /// A key whose only value is "true"; false if it is absent.
  bool flag(std::string_view key) const;
  std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high) const;
  /// The tables of the list `key`; empty if it is absent.
  std::vector<const toml::table*> tables(std::string_view key) const;
  /// The table `key`; nullptr if it is absent.
  const toml::table* table(std::string_view key) const;

 private:
  const toml::table& table_;
  std::string file_;
  std::string title_;
};

// Readers into a variable. Their refusals name the key and the values that it accepts.

KeyReader read_text(std::string& target);
KeyReader read_flag(bool& target);
KeyReader read_number(double& target, const NumberRange& range);
/// A list of 1 to 16 numbers within the range.
KeyReader read_numbers(std::vector<double>& target, const NumberRange& range);
/// A size: a whole number of bytes, or a text such as "48K"; from 1 byte to 256 TiB.
KeyReader read_bytes(std::uint64_t& target);
template <typename T>
KeyReader read_whole(T& target, std::int64_t low, std::int64_t high) {
  return [&target, low, high](const StrictTable& table, std::string_view key) {
    target = static_cast<T>(table.whole(key, low, high));
  };
}
/// One of the listed words.
template <typename T>
KeyReader read_choice(T& target, const std::vector<std::pair<std::string_view, T>>& choices) {
  return [&target, choices](const StrictTable& table, std::string_view key) {
    const std::string word = table.text(key);
    std::string known;
    for (const auto& [name, value] : choices) {
      if (name == word) {
        target = value;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    table.fail(key, "'" + std::string(key) + "' must be one of " + known + "; it is '" + word + "'");
  };
}

}  // namespace percycle

#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percycle::sim {

/// A figure of the hardware that a model file states, e.g. "L2.size_bytes", and the line that states it.
struct Figure {
  std::string key;
  std::uint32_t line = 0;
};

/// A key that a table of a model file may have.
struct Key {
  std::string_view name;
  bool required = false;
  bool figure = false;  ///< a figure of the hardware: must have a source
};

/// What numbers a key takes.
struct Range {
  std::string_view words;  ///< "a number above 0"
  bool (*holds)(double);
};
extern const Range kPositive;
extern const Range kClock;  ///< MHz
extern const Range kNotNegative;
extern const Range kFromOne;
extern const Range kShare;  ///< from 0 to below 1

/// One table of a model file. Constructing it refuses unknown keys and the lack of required ones; each read_... leaves its target alone when
/// the key is absent and refuses a wrong type or range. All throw UsageError "WHERE:LINE: TITLE: what".
class Table {
 public:
  /// `title` names the table in messages, empty for the whole file; its figures are called PREFIX.KEY and added to `figures`.
  Table(const toml::table& table, std::string where, std::string title, std::string_view prefix, std::initializer_list<Key> keys,
        std::vector<Figure>& figures);

  const std::string& where() const { return where_; }
  bool has(std::string_view key) const { return table_.contains(key); }
  /// The line of the key, of the table itself when the key is absent.
  std::uint32_t line(std::string_view key) const;

  [[noreturn]] void fail(std::uint32_t line, std::string_view what) const;
  /// The same at the line of `key`.
  [[noreturn]] void fail_at(std::string_view key, std::string_view what) const { fail(line(key), what); }

  void read_text(std::string_view key, std::string& target) const;
  void read_flag(std::string_view key, bool& target) const;
  void read_number(std::string_view key, double& target, const Range& range) const;
  /// A list of up to 16 such numbers, at least one.
  void read_numbers(std::string_view key, std::vector<double>& target, const Range& range) const;
  /// A size: a whole number of bytes, or a text such as "48K"; from 1 byte to 256 TiB.
  void read_bytes(std::string_view key, std::uint64_t& target) const;
  /// A whole number from `low` to `high`.
  template <typename T>
  void read_whole(std::string_view key, T& target, std::int64_t low, std::int64_t high) const {
    if (has(key)) target = static_cast<T>(whole(key, low, high));
  }
  /// One of the words.
  template <typename T>
  void read_choice(std::string_view key, T& target, std::initializer_list<std::pair<std::string_view, T>> choices) const {
    if (!has(key)) return;
    std::string word;
    read_text(key, word);
    std::string known;
    for (const auto& [name, value] : choices) {
      if (name == word) {
        target = value;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    fail_not_one_of(key, word, known);
  }

  /// The tables of the list `key`; none when it is absent.
  std::vector<const toml::table*> tables(std::string_view key) const;
  /// The table `key`; nullptr when it is absent.
  const toml::table* table(std::string_view key) const;

 private:
  std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high) const;
  [[noreturn]] void fail_not_one_of(std::string_view key, std::string_view word, std::string_view known) const;

  const toml::table& table_;
  std::string where_;
  std::string title_;
};

}  // namespace percycle::sim

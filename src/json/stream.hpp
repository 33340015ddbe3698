#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "json/convert.hpp"
#include "json/fields.hpp"

namespace percycle {

/// The members of an object that are not yet written, and their place.
struct PendingMembers {
  nlohmann::json members = nlohmann::json::object();
  Place place;
};

/// Writes a declared object to a stream. Items, entries and rows go out one by one, because the
/// JSON of all of them would take many times their memory. Members before them wait until then.
class FieldStream : PendingMembers, public FieldWriter {
 public:
  explicit FieldStream(std::ostream& out) : FieldWriter(members, place), out_(out) { out_ << '{'; }

  /// At once: a constant tells readers the format.
  template <typename T>
  void constant(const char* name, const T& value) {
    FieldWriter::constant(name, value);
    flush();
  }
  void object(const char* name, const auto& fields) {
    begin(name);
    write_object(fields);
  }
  void items(const char* name, const auto& list, const auto& fields) {
    begin(name);
    const char* before = "[\n";
    for (const auto& item : list) {
      out_ << std::exchange(before, ",\n");
      write_object([&](FieldStream& inner) { fields(inner, item); });
    }
    out_ << (list.empty() ? "[\n]" : "\n]");
  }
  void optional_items(const char* name, const auto& list, const auto& fields) {
    if (!list.empty()) items(name, list, fields);
  }
  void entries(const auto& map, const Rule& names, std::span<const std::string_view>, const auto& fields) {
    for (const auto& [name, value] : map) {
      check_text(names, name, place);
      flush();
      out_ << (is_first_ ? "\n" : ",\n") << to_line(name) << ':';
      is_first_ = false;
      write_object([&, &name = name, &value = value](FieldStream& inner) { fields(inner, name, value); });
    }
  }
  void rows(const char* name, const auto& list, const auto& row_of, const Rule& rule) {
    begin(name);
    out_ << '[';
    const char* before = "\n";
    for (const auto& item : list) out_ << std::exchange(before, ",\n") << to_line(written(row_of(item), rule, place));
    out_ << ']';
  }
  void finish() {
    flush();
    out_ << '}';
  }

 private:
  void flush() {
    if (members.empty()) return;
    const std::string object = to_line(members);
    out_ << (is_first_ ? "" : ",") << std::string_view(object).substr(1, object.size() - 2);
    members = nlohmann::json::object();
    is_first_ = false;
  }
  void begin(const char* name) {
    flush();
    out_ << (is_first_ ? "" : ",") << to_line(name) << ':';
    is_first_ = false;
  }
  void write_object(const auto& fields) {
    FieldStream inner(out_);
    fields(inner);
    inner.finish();
  }

  std::ostream& out_;
  bool is_first_ = true;
};

}  // namespace percycle

#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/words.hpp"
#include "json/json_tree.hpp"
#include "json/rule.hpp"

// A struct declares its members once, in a function fields() that the writer, the reader and the
// schema visit:
//
//   void fields(auto& v, Like<Sample> auto& sample) {
//     v.required("ops", sample.ops);
//     v.optional("device_ns", sample.timing.device_ns, kPositive);
//   }
//
// The types below and structs with fields() can be members. A visitor `v` understands:
//
//   called(NAME, ABOUT)                  name and description of the struct in the schema
//   required(NAME, value, rule)          a member that is always present
//   optional(NAME, value, rule)          absent if the value is empty, 0 or false
//   where(IS, NAME, value, rule)         present exactly if IS
//   constant(NAME, value)                a member with one value
//   object(NAME, fields)                 an object in the text without a struct of its own
//   object_where(IS, NAME, fields)       the same, present exactly if IS
//   items(NAME, list, fields)            a list; fields(v, item) declares one item
//   optional_items(NAME, list, fields)   the same, absent if the list is empty
//   rows(NAME, list, row, rule)          a list of lists, one row(item) each; only in streams
//   flags(NAME, {{WORD, bool}..})        the words with set flags; absent if no flag is set
//   by_flag(NAMES, flag, value)          under the second name if the flag is set, else the first
//   entries(map, names, listed, fields)  members from a map, without those in `listed`
//   either(when, is, first, second)      first(v) if `when` (JSON) or `is` (struct) holds
//   shown(show)                          columns and evidence of tables (report/finding_tables.cpp)
//   also(holds, where, what, schema)     a rule between members and its text in the schema
//
// Output that percycle does not read again (src/report/*_fields.hpp) may have computed members
// (kComputed) and pointers (value_behind()). The schema visits an empty struct.

namespace percycle {

/// T or const T: the struct that is read or written.
template <typename T, typename U>
concept Like = std::same_as<std::remove_const_t<T>, U>;

/// Distinguishes two forms of an object: the member `name` has `value`; if `name` is empty, the
/// object has no members but `values`.
struct When {
  std::string_view name;
  std::vector<std::string_view> values;

  bool holds(const nlohmann::json& object) const;
  bool holds(const JsonNode& object) const;
  nlohmann::ordered_json schema() const;
};

inline constexpr Rule kAllComputed{.each = &kComputed};

// --- Types of members ---

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsList<std::deque<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T, typename Order>
inline constexpr bool kIsMap<std::map<std::string, T, Order>> = true;
template <typename T>
inline constexpr bool kIsVariant = false;
template <typename... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

template <typename T>
concept Optional = kIsOptional<T>;
template <typename T>
concept List = kIsList<T>;
template <typename T>
concept Map = kIsMap<T>;
template <typename T>
concept Whole = std::unsigned_integral<T> && !std::same_as<T, bool>;
template <typename T>
concept Worded = std::is_enum_v<T>;  // with words()
template <typename T>
concept Textual = std::same_as<T, std::string> || std::same_as<T, std::string_view>;
using WholeOrText = std::variant<std::int64_t, std::string>;

template <typename T>
bool is_empty(const T& value) {
  if constexpr (Optional<T>) {
    return !value.has_value();
  } else if constexpr (List<T> || Map<T> || std::same_as<T, std::string>) {
    return value.empty();
  } else {
    return value == T{};
  }
}

/// All words of an enumeration.
template <Worded T>
std::span<const std::string_view> spellings() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> texts;
    for (const auto& each : words(T{})) texts.push_back(each.text);
    return texts;
  }();
  return all;
}

/// A whole number must keep the rule; a text may be any.
inline void check_parameter(const Rule& rule, const WholeOrText& value, const Place& place) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) check_number(rule, static_cast<double>(*whole), place);
}

inline const Rule& or_none(const Rule* rule) { return rule != nullptr ? *rule : kNoRule; }

/// The value behind a pointer, which is null only in the empty struct that a schema is made from.
template <typename T>
const T& value_behind(const T* pointer) {
  static const T kEmpty{};
  return pointer != nullptr ? *pointer : kEmpty;
}

// --- Writing ---

template <typename T>
nlohmann::json written(const T& value, const Rule& rule, const Place& place);

class FieldWriter {
 public:
  FieldWriter(nlohmann::json& object, const Place& place) : object_(object), place_(place) {}

  void called(std::string_view, std::string_view = {}) {}
  void shown(const auto&) {}
  template <typename T>
  void required(const char* name, const T& value, const Rule& rule = kNoRule) {
    object_[name] = written(value, rule, place_.member(name));
  }
  template <typename T>
  void optional(const char* name, const T& value, const Rule& rule = kNoRule) {
    if (!is_empty(value)) required(name, value, rule);
  }
  template <typename T>
  void where(bool is, const char* name, const T& value, const Rule& rule = kNoRule) {
    if (is) required(name, value, rule);
  }
  template <typename T>
  void constant(const char* name, const T& value) {
    object_[name] = value;
  }
  void object(const char* name, const auto& fields) {
    const Place place = place_.member(name);
    FieldWriter inner(object_[name] = nlohmann::json::object(), place);
    fields(inner);
  }
  void object_where(bool is, const char* name, const auto& fields) {
    if (is) object(name, fields);
  }
  void items(const char* name, const auto& list, const auto& fields) {
    const Place place = place_.member(name);
    nlohmann::json& array = object_[name] = nlohmann::json::array();
    for (const auto& item : list) {
      const Place item_place = place.item(array.size());
      FieldWriter inner(array.emplace_back(nlohmann::json::object()), item_place);
      fields(inner, item);
    }
  }
  void optional_items(const char* name, const auto& list, const auto& fields) {
    if (!list.empty()) items(name, list, fields);
  }
  void flags(const char* name, std::initializer_list<std::pair<std::string_view, bool>> flags) {
    for (const auto& [word, flag] : flags) {
      if (flag) object_[name].push_back(word);
    }
  }
  template <typename T>
  void by_flag(std::pair<const char*, const char*> names, bool flag, const T& value, const Rule& rule = kNoRule) {
    optional(flag ? names.second : names.first, value, rule);
  }
  void entries(const auto& map, const Rule& names, std::span<const std::string_view>, const auto& fields) {
    for (const auto& [name, value] : map) {
      check_text(names, name, place_);
      object(name.c_str(), [&, &name = name, &value = value](FieldWriter& inner) { fields(inner, name, value); });
    }
  }
  void either(const When&, bool is, const auto& first, const auto& second) { is ? first(*this) : second(*this); }
  void also(bool holds, const char* where, const char* message, const char* = nullptr) {
    if (!holds) (*where == '\0' ? place_ : place_.member(where)).fail("{}", message);
  }

 private:
  nlohmann::json& object_;
  const Place& place_;
};

template <typename T>
nlohmann::json written(const T& value, const Rule& rule, const Place& place) {
  nlohmann::json json;
  if constexpr (Optional<T>) {
    if (!value) place.fail("is missing");
    json = written(*value, rule, place);
  } else if constexpr (std::same_as<T, bool>) {
    json = value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (!rule.unbounded)
      std::integral<T> ? check_number(rule, static_cast<double>(value), place)
                       : check_real(rule, static_cast<double>(value), place);
    if constexpr (std::floating_point<T>)
      json = rounded(rule, value);
    else
      json = value;
  } else if constexpr (Textual<T>) {
    check_text(rule, value, place);
    json = value;
  } else if constexpr (Worded<T>) {
    json = word_of(value);
  } else if constexpr (std::derived_from<T, WholeOrText>) {
    check_parameter(rule, value, place);
    std::visit([&](const auto& plain) { json = plain; }, value);
  } else if constexpr (kIsVariant<T>) {
    std::visit([&](const auto& held) { json = written(held, rule, place); }, value);
  } else if constexpr (std::is_empty_v<T>) {
    json = nullptr;
  } else if constexpr (List<T>) {
    check_size(rule, value.size(), "items", place);
    json = nlohmann::json::array();
    for (const auto& item : value) json.push_back(written(item, or_none(rule.each), place.item(json.size())));
  } else if constexpr (Map<T>) {
    check_size(rule, value.size(), "members", place);
    json = nlohmann::json::object();
    for (const auto& [name, member] : value) {
      check_text(or_none(rule.names), name, place);
      json[name] = written(member, or_none(rule.each), place.member(name));
    }
  } else {
    json = nlohmann::json::object();
    FieldWriter writer(json, place);
    fields(writer, value);
  }
  return json;
}

// --- Reading ---

// The same questions to both forms of a JSON text, nlohmann::json and the faster JsonNode.

inline bool is_object(const nlohmann::json& json) { return json.is_object(); }
inline bool is_object(const JsonNode& json) { return json.kind() == JsonNode::ValueKind::object; }
inline bool is_list(const nlohmann::json& json) { return json.is_array(); }
inline bool is_list(const JsonNode& json) { return json.kind() == JsonNode::ValueKind::list; }

inline const nlohmann::json* member_of(const nlohmann::json& object, std::string_view name) {
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}
inline const JsonNode* member_of(const JsonNode& object, std::string_view name) { return object.find(name); }

/// Calls visit(NAME, member) for each member.
void each_member(const nlohmann::json& object, const auto& visit) {
  for (const auto& [name, member] : object.items()) visit(name, member);
}
void each_member(const JsonNode& object, const auto& visit) {
  object.each([&](const JsonNode& member) { visit(std::string(member.name()), member); });
}

template <typename T>
bool is_equal(const nlohmann::json& json, const T& value) {
  return json == nlohmann::json(value);
}
template <typename T>
bool is_equal(const JsonNode& json, const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view>)
    return json.kind() == JsonNode::ValueKind::text && json.text() == value;
  else
    return json.is_number() && json.number() == static_cast<double>(value);
}

void each_item(const nlohmann::json& list, const auto& visit) {
  for (const auto& item : list) visit(item);
}
void each_item(const JsonNode& list, const auto& visit) { list.each(visit); }

// These fail if the value has another type.

bool read_bool(const nlohmann::json& json, const Place& place);
bool read_bool(const JsonNode& json, const Place& place);
/// A number without a fraction, as JSON Schema defines it: 1.0 is one. Fails if it is not, or is
/// beyond the limits.
std::uint64_t read_whole(const nlohmann::json& json, std::uint64_t largest, const Place& place);
std::uint64_t read_whole(const JsonNode& json, std::uint64_t largest, const Place& place);
double read_number(const nlohmann::json& json, const Place& place);
double read_number(const JsonNode& json, const Place& place);
std::string_view read_text(const nlohmann::json& json, const Place& place);
std::string_view read_text(const JsonNode& json, const Place& place);
void read_parameter(const nlohmann::json& json, WholeOrText& value, const Place& place);
void read_parameter(const JsonNode& json, WholeOrText& value, const Place& place);

template <typename Json, typename T>
void read_member(const Json& json, T& value, const Rule& rule, const Place& place);

/// Reads the members of one object strictly. A missing member, a broken type or rule, and (at
/// finish()) an unknown member fail with their place.
template <typename Json>
class BasicFieldReader {
 public:
  BasicFieldReader(const Json& object, const Place& place) : object_(object), place_(place) {
    if (!is_object(object)) place.fail("not an object");
  }

  void called(std::string_view, std::string_view = {}) {}
  void shown(const auto&) {}
  template <typename T>
  void required(const char* name, T& value, const Rule& rule = kNoRule) {
    read_member(get(name), value, rule, place_.member(name));
  }
  template <typename T>
  void optional(const char* name, T& value, const Rule& rule = kNoRule) {
    if (const auto* member = find(name)) read_member(*member, value, rule, place_.member(name));
  }
  template <typename T>
  void where(bool is, const char* name, T& value, const Rule& rule = kNoRule) {
    if (is) required(name, value, rule);
  }
  template <typename T>
  void constant(const char* name, const T& value) {
    if (!is_equal(get(name), value)) place_.member(name).fail("not {}", value);
  }
  void object(const char* name, const auto& fields) {
    const Place place = place_.member(name);
    BasicFieldReader inner(get(name), place);
    fields(inner);
    inner.finish();
  }
  void flags(const char* name, std::initializer_list<std::pair<std::string_view, bool&>> flags) {
    std::vector<std::string> list;
    std::vector<std::string_view> known;
    for (const auto& [word, flag] : flags) known.push_back(word);
    const Rule each{.one_of = known};
    optional(name, list, {.each = &each});
    for (const auto& [word, flag] : flags) flag = std::find(list.begin(), list.end(), word) != list.end();
  }
  template <typename T>
  void by_flag(std::pair<const char*, const char*> names, bool& flag, T& value, const Rule& rule = kNoRule) {
    flag = member_of(object_, names.second) != nullptr;
    optional(flag ? names.second : names.first, value, rule);
  }
  void entries(auto& map, const Rule& names, std::span<const std::string_view>, const auto& fields) {
    each_member(object_, [&](const std::string& name, const Json&) {
      check_text(names, name, place_);
      object(name.c_str(), [&](BasicFieldReader& inner) { fields(inner, name, map[name]); });
    });
  }
  void either(const When& when, bool, const auto& first, const auto& second) {
    when.holds(object_) ? first(*this) : second(*this);
  }
  void also(bool holds, const char* where, const char* message, const char* = nullptr) {
    if (!holds) (*where == '\0' ? place_ : place_.member(where)).fail("{}", message);
  }

  /// Fails if the object has members that were not read.
  void finish() const {
    if (found_.size() == object_.size()) return;
    each_member(object_, [&](const std::string& name, const Json&) {
      if (std::find(found_.begin(), found_.end(), name) == found_.end()) place_.fail("'{}' is not a known field", name);
    });
  }

 private:
  const Json* find(std::string_view name) {
    const Json* const member = member_of(object_, name);
    if (member != nullptr) found_.push_back(name);
    return member;
  }
  const Json& get(std::string_view name) {
    const Json* const member = find(name);
    if (member == nullptr) place_.fail("'{}' is missing", name);
    return *member;
  }

  const Json& object_;
  const Place& place_;
  std::vector<std::string_view> found_;
};

using FieldReader = BasicFieldReader<nlohmann::json>;

template <typename Json, typename T>
void read_member(const Json& json, T& value, const Rule& rule, const Place& place) {
  if constexpr (Optional<T>) {
    // clang 14 has no emplace() for a struct nested in the same class
    value = typename T::value_type();
    read_member(json, *value, rule, place);
  } else if constexpr (std::same_as<T, bool>) {
    value = read_bool(json, place);
  } else if constexpr (Whole<T>) {
    value = static_cast<T>(read_whole(json, std::numeric_limits<T>::max(), place));
    check_number(rule, static_cast<double>(value), place);
  } else if constexpr (std::same_as<T, double>) {
    value = read_number(json, place);
    check_real(rule, value, place);
  } else if constexpr (std::same_as<T, std::string>) {
    value = read_text(json, place);
    check_text(rule, value, place);
  } else if constexpr (Worded<T>) {
    check_text({.one_of = spellings<T>()}, read_text(json, place), place);
    value = *value_of<T>(read_text(json, place));
  } else if constexpr (std::derived_from<T, WholeOrText>) {
    read_parameter(json, value, place);
    check_parameter(rule, value, place);
  } else if constexpr (List<T>) {
    if (!is_list(json)) place.fail("not a list");
    check_size(rule, json.size(), "items", place);
    value.reserve(json.size());
    each_item(json, [&](const Json& item) {
      auto& read = value.emplace_back();  // before its place: arguments are evaluated in any order
      read_member(item, read, or_none(rule.each), place.item(value.size() - 1));
    });
  } else if constexpr (Map<T>) {
    if (!is_object(json)) place.fail("not an object");
    check_size(rule, json.size(), "members", place);
    each_member(json, [&](const std::string& name, const Json& member) {
      check_text(or_none(rule.names), name, place);
      read_member(member, value[name], or_none(rule.each), place.member(name));
    });
  } else {
    BasicFieldReader<Json> reader(json, place);
    fields(reader, value);
    reader.finish();
  }
}

}  // namespace percycle

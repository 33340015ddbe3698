#include "json/fields.hpp"

#include <algorithm>
#include <cmath>

namespace percycle {
namespace {

using nlohmann::json;

bool is_whole(const json& value) {
  return value.is_number_integer() || (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

}  // namespace

bool When::holds(const json& object) const {
  const auto listed = [&](std::string_view text) { return std::find(values.begin(), values.end(), text) != values.end(); };
  if (name.empty())
    return std::all_of(object.items().begin(), object.items().end(), [&](const auto& member) { return listed(member.key()); });
  const auto member = object.find(name);
  return member != object.end() && member->is_string() && listed(member->get_ref<const std::string&>());
}

FieldReader::FieldReader(const json& object, const Place& place) : object_(object), place_(place) {
  if (!object.is_object()) place.fail("not an object");
}

const json* FieldReader::find(std::string_view name) {
  const auto member = object_.find(name);
  if (member == object_.end()) return nullptr;
  found_.push_back(name);
  return &*member;
}

const json& FieldReader::get(std::string_view name) {
  const json* const member = find(name);
  if (member == nullptr) place_.fail("'{}' is missing", name);
  return *member;
}

void FieldReader::flags(const char* name, std::initializer_list<std::pair<std::string_view, bool&>> flags) {
  std::vector<std::string> list;
  std::vector<std::string_view> known;
  for (const auto& [word, flag] : flags) known.push_back(word);
  const Rule each{.one_of = known};
  optional(name, list, {.each = &each});
  for (const auto& [word, flag] : flags) flag = std::find(list.begin(), list.end(), word) != list.end();
}

void FieldReader::finish() const {
  if (found_.size() == object_.size()) return;
  for (const auto& [name, member] : object_.items()) {
    if (std::find(found_.begin(), found_.end(), name) == found_.end()) place_.fail("'{}' is not a known field", name);
  }
}

std::uint64_t read_whole(const json& json, std::uint64_t largest, const Place& place) {
  if (!is_whole(json)) place.fail("not a whole number");
  const auto value = json.get<double>();
  if (value < 0) place.fail("{} is below 0", json.dump());
  constexpr double kEnd = 0x1p64;  // the first double that no std::uint64_t holds
  if (value >= kEnd && !json.is_number_unsigned()) place.fail("{} is above {}", json.dump(), largest);
  const auto whole = json.get<std::uint64_t>();
  if (whole > largest) place.fail("{} is above {}", whole, largest);
  return whole;
}

double read_number(const json& json, const Place& place) {
  if (!json.is_number()) place.fail("not a number");
  return json.get<double>();
}

const std::string& read_text(const json& json, const Place& place) {
  if (!json.is_string()) place.fail("not a text");
  return json.get_ref<const std::string&>();
}

void read_parameter(const json& json, WholeOrText& value, const Place& place) {
  if (json.is_string()) {
    value = json.get<std::string>();
    return;
  }
  if (!is_whole(json)) place.fail("not a whole number or a text");
  const auto number = json.get<double>();
  const bool fits = json.is_number_unsigned() ? json.get<std::uint64_t>() <= INT64_MAX
                                              : json.is_number_integer() || (number >= -0x1p63 && number < 0x1p63);
  if (!fits) place.fail("{} is not within 64 bits", json.dump());
  value = json.get<std::int64_t>();
}

}  // namespace percycle

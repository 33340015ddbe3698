#include "json/fields.hpp"

#include <algorithm>
#include <cmath>

namespace percycle {
namespace {

using nlohmann::json;

bool is_whole(const json& value) {
  return value.is_number_integer() || (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

/// The few values that need all rules for numbers; null for what is none.
json as_json(const JsonNode& node) {
  using ValueKind = JsonNode::ValueKind;
  if (node.kind() == ValueKind::whole) return node.whole();
  if (node.kind() == ValueKind::negative) return node.negative();
  if (node.kind() == ValueKind::real) return node.real();
  return nullptr;
}

}  // namespace

bool When::holds(const json& object) const {
  const auto listed = [&](std::string_view text) { return std::find(values.begin(), values.end(), text) != values.end(); };
  if (name.empty())
    return std::all_of(object.items().begin(), object.items().end(), [&](const auto& member) { return listed(member.key()); });
  const auto member = object.find(name);
  return member != object.end() && member->is_string() && listed(member->get_ref<const std::string&>());
}

bool When::holds(const JsonNode& object) const {
  const auto listed = [&](std::string_view text) { return std::find(values.begin(), values.end(), text) != values.end(); };
  if (name.empty()) {
    bool all = true;
    object.each([&](const JsonNode& member) { all = all && listed(member.name()); });
    return all;
  }
  const JsonNode* const member = object.find(name);
  return member != nullptr && member->kind() == JsonNode::ValueKind::text && listed(member->text());
}

bool read_bool(const json& json, const Place& place) {
  if (!json.is_boolean()) place.fail("not true or false");
  return json.get<bool>();
}

bool read_bool(const JsonNode& json, const Place& place) {
  if (json.kind() != JsonNode::ValueKind::boolean) place.fail("not true or false");
  return json.boolean();
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

std::string_view read_text(const json& json, const Place& place) {
  if (!json.is_string()) place.fail("not a text");
  return json.get_ref<const std::string&>();
}

std::uint64_t read_whole(const JsonNode& json, std::uint64_t largest, const Place& place) {
  if (json.kind() == JsonNode::ValueKind::whole && json.whole() <= largest) return json.whole();
  return read_whole(as_json(json), largest, place);
}

double read_number(const JsonNode& json, const Place& place) {
  if (!json.is_number()) place.fail("not a number");
  return json.number();
}

std::string_view read_text(const JsonNode& json, const Place& place) {
  if (json.kind() != JsonNode::ValueKind::text) place.fail("not a text");
  return json.text();
}

void read_parameter(const JsonNode& json, WholeOrText& value, const Place& place) {
  if (json.kind() == JsonNode::ValueKind::text)
    value = std::string(json.text());
  else if (json.kind() == JsonNode::ValueKind::whole && json.whole() <= INT64_MAX)
    value = static_cast<std::int64_t>(json.whole());
  else
    read_parameter(as_json(json), value, place);
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

#include "store/schema_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace percycle {
namespace {

/// The end of a check that failed; makes the text only if somebody asks.
template <typename... Arguments>
bool breaks(SchemaViolation* violation, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (violation != nullptr) violation->what = fmt::format(format, std::forward<Arguments>(arguments)...);
  return false;
}

/// The end of a check that failed inside of the value: puts the step to there in front of where it broke.
template <typename Step>
bool breaks_inside(SchemaViolation* violation, fmt::format_string<Step&> format, Step step) {
  if (violation != nullptr) violation->path.insert(0, fmt::format(format, step));
  return false;
}

template <typename... Types>
constexpr unsigned bits(Types... types) {
  return ((1u << static_cast<unsigned>(types)) | ...);
}

using Type = JsonNode::Type;

constexpr std::array<SchemaType, 6> kTypes{{
    {"object", "an object", bits(Type::object)},
    {"array", "a list", bits(Type::list)},
    {"string", "a text", bits(Type::text)},
    {"number", "a number", bits(Type::natural, Type::negative, Type::real)},
    {"integer", "a whole number", bits(Type::natural, Type::negative)},
    {"boolean", "true or false", bits(Type::boolean)},
}};

bool keeps_type(const SchemaRule& rule, JsonValue value, SchemaViolation* violation) {
  if (rule.type.empty()) return true;
  if (std::any_of(rule.type.begin(), rule.type.end(), [&](const auto* type) { return type->fits(value); })) return true;
  std::vector<std::string_view> wanted;
  for (const auto* type : rule.type) wanted.push_back(type->words);
  return breaks(violation, "not {}", fmt::join(wanted, " or "));
}

bool keeps_values(const SchemaRule& rule, JsonValue value, SchemaViolation* violation) {
  if (rule.values.empty()) return true;
  const auto equal = [&](const auto& allowed) {
    if (const auto* text = std::get_if<std::string>(&allowed)) return value.is_text() && value.text() == *text;
    return value.is_number() && value.number() == std::get<double>(allowed);
  };
  if (std::any_of(rule.values.begin(), rule.values.end(), equal)) return true;
  std::vector<std::string> allowed;
  for (const auto& each : rule.values) {
    const auto* text = std::get_if<std::string>(&each);
    allowed.push_back(text != nullptr ? *text : fmt::format("{}", std::get<double>(each)));
  }
  return breaks(violation, "not {}", fmt::join(allowed, " or "));
}

bool keeps_number(const SchemaRule& rule, double value, SchemaViolation* violation) {
  if (rule.minimum && !(value >= *rule.minimum)) return breaks(violation, "{} is below {}", value, *rule.minimum);
  if (rule.exclusive_minimum && !(value > *rule.exclusive_minimum)) {
    return breaks(violation, "{} is not above {}", value, *rule.exclusive_minimum);
  }
  return true;
}

/// In characters, which UTF-8 begins with any byte but 10xxxxxx.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

bool keeps_text(SchemaRule& rule, std::string_view text, SchemaViolation* violation) {
  if (rule.min_length > 0 && length(text) < rule.min_length) {
    return breaks(violation, "a text of {} characters, not of at least {}", length(text), rule.min_length);
  }
  if (rule.pattern && !rule.pattern->fits(text)) return breaks(violation, "'{}' does not fit {}", text, rule.pattern->source());
  return true;
}

bool keeps_list(const SchemaRule& rule, JsonValue list, SchemaViolation* violation) {
  if (list.size() < rule.min_items) return breaks(violation, "{} items, not at least {}", list.size(), rule.min_items);
  if (rule.items == nullptr) return true;
  std::size_t index = 0;
  for (const JsonValue item : list) {
    if (!keeps(*rule.items, item, violation)) return breaks_inside(violation, "[{}]", index);
    ++index;
  }
  return true;
}

/// The first that fits, looked for from `at` on and then before it. What is sought comes in the order of what it is sought in, almost
/// always: records are written sorted by name.
template <typename Iterator, typename Fits>
Iterator find_onwards(Iterator begin, Iterator at, Iterator end, Fits fits) {
  const auto found = std::find_if(at, end, fits);
  if (found != end) return found;
  const auto before = std::find_if(begin, at, fits);
  return before == at ? end : before;
}

bool has_required(const SchemaRule& rule, JsonValue object, SchemaViolation* violation) {
  auto at = object.begin();
  for (const auto& name : rule.required) {
    const auto found = find_onwards(object.begin(), at, object.end(), [&](JsonValue member) { return member.key() == name; });
    if (found == object.end()) return breaks(violation, "'{}' is missing", name);
    at = found;
  }
  return true;
}

bool keeps_name(SchemaRule& rule, std::string_view name, SchemaViolation* violation) {
  JsonNode node;
  node.type = JsonNode::Type::text;
  node.text = name;
  return keeps(rule, JsonValue(node), violation);
}

/// The rule of each member of a name: nullptr where there is none, nothing where there cannot be such a member. `at` is where the last one was
/// found.
class MemberRules {
 public:
  explicit MemberRules(const SchemaRule& rule) : rule_(rule), at_(rule.properties.begin()) {}

  std::optional<SchemaRule*> find(std::string_view name) {
    const auto& properties = rule_.properties;
    const auto listed =
        find_onwards(properties.begin(), at_, properties.end(), [&](const auto& each) { return each.first == name; });
    if (listed == properties.end()) return rule_.no_others ? std::nullopt : std::optional(rule_.additional_properties);
    at_ = listed;
    return listed->second;
  }

 private:
  const SchemaRule& rule_;
  std::vector<std::pair<std::string, SchemaRule*>>::const_iterator at_;
};

bool keeps_members(const SchemaRule& rule, JsonValue object, SchemaViolation* violation) {
  MemberRules rules(rule);
  for (const JsonValue member : object) {
    const std::string_view name = member.key();
    if (rule.property_names != nullptr && !keeps_name(*rule.property_names, name, violation)) return false;
    const auto of_member = rules.find(name);
    if (!of_member) return breaks(violation, "'{}' is not a known field", name);
    if (*of_member != nullptr && !keeps(**of_member, member, violation)) return breaks_inside(violation, ".{}", name);
  }
  return true;
}

bool has_last_names(const SchemaRule& rule, JsonValue object) {
  return object.size() > 0 && object.size() == rule.last_names.size() &&
         std::equal(object.begin(), object.end(), rule.last_names.begin(),
                    [](JsonValue member, const auto& last) { return member.key() == last.first; });
}

/// Whether the object's names keep the rule; remembers them if they do.
bool keeps_names(SchemaRule& rule, JsonValue object) {
  auto& names = rule.last_names;
  const auto all_keep = [&] {
    if (!has_required(rule, object, nullptr)) return false;
    names.resize(object.size());
    auto last = names.begin();
    MemberRules rules(rule);
    for (const JsonValue member : object) {
      const auto of_member = rules.find(member.key());
      if (!of_member || (rule.property_names != nullptr && !keeps_name(*rule.property_names, member.key(), nullptr)))
        return false;
      last->first = member.key();
      (last++)->second = *of_member;
    }
    return true;
  };
  if (all_keep()) return true;
  names.clear();
  return false;
}

bool keeps_object(SchemaRule& rule, JsonValue object, SchemaViolation* violation) {
  if (object.size() < rule.min_properties) {
    return breaks(violation, "{} members, not at least {}", object.size(), rule.min_properties);
  }
  if (object.size() > rule.max_properties) {
    return breaks(violation, "{} members, not at most {}", object.size(), rule.max_properties);
  }
  if (violation != nullptr) return has_required(rule, object, violation) && keeps_members(rule, object, violation);
  if (!has_last_names(rule, object) && !keeps_names(rule, object)) return false;
  auto last = rule.last_names.begin();
  return std::all_of(object.begin(), object.end(), [&](JsonValue member) {
    SchemaRule* const of_member = (last++)->second;
    return of_member == nullptr || keeps(*of_member, member, nullptr);
  });
}

bool keeps_combination(const SchemaRule& rule, JsonValue value, SchemaViolation* violation) {
  for (SchemaRule* each : rule.all_of) {
    if (!keeps(*each, value, violation)) return false;
  }
  if (rule.excluded != nullptr && keeps(*rule.excluded, value, nullptr)) {
    return breaks(violation, "cannot have {}", fmt::join(rule.excluded->required, ", "));
  }
  if (rule.condition == nullptr) return true;
  SchemaRule* const follows = keeps(*rule.condition, value, nullptr) ? rule.then : rule.otherwise;
  return follows == nullptr || keeps(*follows, value, violation);
}

}  // namespace

const SchemaType* find_schema_type(std::string_view keyword) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const SchemaType& type) { return type.keyword == keyword; });
  return found == kTypes.end() ? nullptr : found;
}

bool SchemaPattern::fits(std::string_view text) {
  constexpr std::size_t kMany = 1000;  // of files of nothing but new names
  if (known_.contains(text)) return true;
  if (!std::regex_search(text.begin(), text.end(), regex_)) return false;
  if (known_.size() == kMany) known_.clear();
  known_.emplace(text);
  return true;
}

bool keeps(SchemaRule& rule, JsonValue value, SchemaViolation* violation) {
  if (!keeps_type(rule, value, violation) || !keeps_values(rule, value, violation)) return false;
  switch (value.type()) {
    case Type::natural:
    case Type::negative:
    case Type::real:
      if (!keeps_number(rule, value.number(), violation)) return false;
      break;
    case Type::text:
      if (!keeps_text(rule, value.text(), violation)) return false;
      break;
    case Type::list:
      if (!keeps_list(rule, value, violation)) return false;
      break;
    case Type::object:
      if (!keeps_object(rule, value, violation)) return false;
      break;
    default:
      break;
  }
  return keeps_combination(rule, value, violation);
}

}  // namespace percycle

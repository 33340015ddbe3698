#include "core/parameters.hpp"

namespace percycle {

std::int64_t integer(const Parameters& parameters, const std::string& name) {
  return std::get<std::int64_t>(parameters.at(name));
}

const std::string& word(const Parameters& parameters, const std::string& name) {
  return std::get<std::string>(parameters.at(name));
}

std::optional<std::int64_t> find_integer(const Parameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  const auto* number = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::int64_t integer_or(const Parameters& parameters, const std::string& name, std::int64_t otherwise) {
  return find_integer(parameters, name).value_or(otherwise);
}

const std::string* find_word(const Parameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
}

bool has_word(const Parameters& parameters, const std::string& name, std::string_view value) {
  const std::string* text = find_word(parameters, name);
  return text != nullptr && *text == value;
}

std::string to_string(const ParameterValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::string to_string(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += ' ';
    text += name + '=' + to_string(value);
  }
  return text;
}

std::size_t PointHash::operator()(const Point& point) const {
  std::size_t hash = std::hash<std::string>{}(point.experiment);
  for (const auto& [name, value] : point.parameters) {
    // A multiplier that makes the order of the values count.
    hash = hash * 31 + std::hash<std::variant<std::int64_t, std::string>>{}(value);
  }
  return hash;
}

std::string to_string(const Point& point) {
  return point.parameters.empty() ? point.experiment : point.experiment + ' ' + to_string(point.parameters);
}

}  // namespace percycle

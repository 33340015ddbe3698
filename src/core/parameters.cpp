#include "core/parameters.hpp"

namespace percycle {

std::int64_t integer(const Parameters& parameters, const std::string& name) {
  return std::get<std::int64_t>(parameters.at(name));
}

const std::string& word(const Parameters& parameters, const std::string& name) {
  return std::get<std::string>(parameters.at(name));
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

std::string to_string(const Point& point) { return point.experiment + ' ' + to_string(point.parameters); }

}  // namespace percycle

#include "presentation/configuration.hpp"

#include <algorithm>

namespace percycle {

bool is_configuration(const Presentation& about, std::string_view parameter) {
  return parameter == kRole ||
         std::find(about.configuration.begin(), about.configuration.end(), parameter) != about.configuration.end();
}

bool has_words(const Parameters& parameters, const ParameterWords& words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const auto& named) { return has_word(parameters, named.first, named.second); });
}

Parameters question_of(const Point& point) {
  const Presentation& about = presentation_of(point.experiment);
  Parameters question;
  for (const auto& [name, value] : point.parameters) {
    if (!is_configuration(about, name)) question[name] = value;
  }
  return question;
}

}  // namespace percycle

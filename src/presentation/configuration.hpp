#pragma once

#include <string_view>

#include "core/configuration.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// Whether the parameter is the role in a search, or listed by the experiment as part of the
/// dispatch's shape.
bool is_configuration(const Presentation& about, std::string_view parameter);

/// Whether the parameters have all these words.
bool has_words(const Parameters& parameters, const ParameterWords& words);

/// The parameters of the point without configuration and role. Points that are equal in these have
/// one answer, the best.
Parameters question_of(const Point& point);

}  // namespace percycle

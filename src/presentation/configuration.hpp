#pragma once

#include <string_view>

#include "core/configuration.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// Whether the parameter is the role in a search or one that the experiment says shapes the dispatch.
bool is_configuration(const Presentation& about, std::string_view parameter);

/// The parameters of the point without its configuration and role. Points that differ in nothing else have one answer, the best.
Parameters question_of(const Point& point);

}  // namespace percycle

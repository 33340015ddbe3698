#pragma once

#include <string>

#include "core/parameters.hpp"

namespace percycle {

/// Whether the summary of a run needs this point. Such points are measured first.
bool is_headline(const Point& point);

/// Whether an experiment has any.
bool has_headlines(const std::string& experiment);

/// The place of an experiment among those with headlines, ascending: the hierarchy, bandwidths,
/// atomics, arithmetic, then the others.
int headline_rank(const std::string& experiment);

}  // namespace percycle

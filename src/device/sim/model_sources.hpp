#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "device/sim/model_table.hpp"

namespace percycle::sim {

/// Refuses a model file whose figures are not each either cited in its table `sources` or named in its list `assumed` ("*": all others), and
/// any citation or assumption of what is no figure of it. Throws UsageError "WHERE:LINE: what".
void check_sources(const toml::table& file, const std::string& where, const std::vector<Figure>& figures);

}  // namespace percycle::sim

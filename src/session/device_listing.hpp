#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// The table of `percycle devices`: a section per card with its devices, then the names of the
/// `simulated` devices, which belong to no card, and the problems. Plain ASCII, at most 100
/// columns.
std::string devices_text(const Enumeration& enumeration, std::string_view host_cpu_name,
                         const std::vector<std::string>& simulated);

/// The same for programs: {"cards": [...], "problems": [...], "simulated": [...]}. Empty keys are
/// absent.
nlohmann::json devices_json(const Enumeration& enumeration, std::string_view host_cpu_name,
                            const std::vector<std::string>& simulated);

}  // namespace percycle

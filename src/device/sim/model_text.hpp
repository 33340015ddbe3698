#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a model file of src/device/sim/models/ by its name; empty when there is no such file.
std::string_view sim_model_text(std::string_view file_name);

}  // namespace percycle

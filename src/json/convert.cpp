#include "json/convert.hpp"

#include <nlohmann/json.hpp>

namespace percycle {

std::string to_line(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace percycle

#include <cstdlib>

#include "platform/environment.hpp"

namespace percycle {

const char kPathSeparator = ':';

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

void set_environment_variable(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

}  // namespace percycle

#include "platform/environment.hpp"

#include <algorithm>
#include <cstdlib>

namespace percycle {

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

void set_environment_variable(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

std::vector<std::filesystem::path> split_paths(std::string_view list) {
  constexpr char kSeparator = ':';
  std::vector<std::filesystem::path> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kSeparator), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

}  // namespace percycle

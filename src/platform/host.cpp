#include "platform/host.hpp"

#include <algorithm>

#include "platform/environment.hpp"

namespace percycle {

std::string cpu_name(std::string_view cpuinfo, std::string_view machine) {
  constexpr std::string_view kField = "model name";
  // Only at the start of a line: other fields may quote it.
  const std::size_t line = cpuinfo.starts_with(kField) ? 0 : cpuinfo.find("\nmodel name");
  if (line == std::string_view::npos) return std::string(machine);
  std::string_view value = cpuinfo.substr(line);
  value.remove_prefix(std::min(value.find(':'), value.size() - 1) + 1);
  value = value.substr(0, value.find('\n'));
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  value = value.substr(0, value.find_last_not_of(" \t\r") + 1);
  return std::string(value.empty() ? machine : value);
}

bool stderr_has_colour() { return stderr_is_terminal() && environment_variable("NO_COLOR").value_or("").empty(); }

}  // namespace percycle

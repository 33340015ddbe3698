#include "platform/environment.hpp"

#include <algorithm>

namespace percycle {

std::vector<std::filesystem::path> split_paths(std::string_view list) {
  std::vector<std::filesystem::path> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kPathSeparator), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

}  // namespace percycle

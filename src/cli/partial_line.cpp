#include "cli/partial_line.hpp"

#include <spdlog/spdlog.h>

namespace percycle {

void note_partial_line(const LoadedFile& file) {
  if (!file.truncated) return;
  const auto& [line, bytes, damage] = *file.truncated;
  if (!damage.empty()) {
    spdlog::warn("{}:{}: the compressed data {}; percycle uses the lines before it", file.path.string(), line, damage);
    return;
  }
  spdlog::warn("{}:{}: percycle ignores a partial last line ({} bytes), as a crash leaves it", file.path.string(), line, bytes);
}

}  // namespace percycle

#include "cli/partial_line.hpp"

#include <spdlog/spdlog.h>

namespace percycle {

void note_partial_line(const LoadedFile& file) {
  if (!file.truncated) return;
  spdlog::warn("{}:{}: percycle ignores a partial last line ({} bytes), as a crash leaves it", file.path.string(),
               file.truncated->line, file.truncated->bytes);
}

}  // namespace percycle

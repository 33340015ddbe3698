#include "cli/partial_line.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace percycle {

void note_partial_line(const LoadedFile& file) {
  if (!file.truncated) return;
  fmt::print(stderr, "percycle: {}:{}: partial last line ({} bytes), as a crash leaves it, ignored\n", file.path.string(),
             file.truncated->line, file.truncated->bytes);
}

}  // namespace percycle

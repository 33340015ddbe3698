#include "cli/partial_line.hpp"

#include "cli/output.hpp"

namespace percycle {

void note_partial_line(const LoadedFile& file) {
  if (!file.truncated) return;
  note("{}:{}: partial last line ({} bytes), as a crash leaves it, ignored", file.path.string(), file.truncated->line,
       file.truncated->bytes);
}

}  // namespace percycle

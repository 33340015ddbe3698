#include "cli/file_faults.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace percycle {
namespace {

// `validate` lists them all.
constexpr std::size_t kShownFaults = 3;

/// The end of a file that a crash or damage cut.
void note_end(const LoadedFile& file, const std::string& path) {
  if (!file.truncated) return;
  const auto& [line, bytes, damage] = *file.truncated;
  if (!damage.empty()) {
    spdlog::warn("{}:{}: the compressed data {}; percycle uses the lines before it", path, line, damage);
    return;
  }
  spdlog::warn("{}:{}: percycle ignores a partial last line ({} bytes), as a crash leaves it", path, line, bytes);
}

}  // namespace

void note_faults(const LoadedFile& file) {
  const std::string path = file.path.string();
  const std::size_t shown = std::min(kShownFaults, file.impossible.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Impossible& fault = file.impossible[i];
    spdlog::warn("{}:{}: impossible: {}; percycle states no figures of {} point{}", path, fault.line, fault.sentence,
                 fault.entries.size(), fault.entries.size() == 1 ? "" : "s");
  }
  if (shown < file.impossible.size())
    spdlog::warn("{}: {} more impossible records: percycle validate lists them", path, file.impossible.size() - shown);
  note_end(file, path);
}

}  // namespace percycle

#include "cli/run_order.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/output.hpp"
#include "core/error.hpp"

namespace percycle {

void RunOrder::add(const LoadedFile& file) {
  const std::string path = file.path.string();
  for (const Header& header : file.headers) {
    const auto [earlier, is_new] = file_of_.emplace(header.id, path);
    if (!is_new)
      throw UsageError(fmt::format("{}: holds the run {} of {} again: name it once", path, header.id, earlier->second));
  }
  std::set<std::string> noted;  // earlier files, each once
  for (const Header& header : file.headers) {
    if (header.published()) continue;
    LastRun& last = last_[fmt::format("{} {}", to_string(header.device.api), header.identity)];
    if (header.created < last.created && last.file != path && noted.insert(last.file).second) {
      note("{}: older than {}, which comes before it: the order of the files decides which result of a point counts", path,
           last.file);
    }
    if (header.created >= last.created) last = {header.created, path};
  }
}

}  // namespace percycle

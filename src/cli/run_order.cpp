#include "cli/run_order.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "store/record_lines.hpp"

namespace percycle {
namespace {

/// The time in the first header of the file; empty if it is no run's.
std::string first_time(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};  // a pipe can be read once
  std::string line;
  try {
    RecordLines lines(path);
    if (!lines.next(line)) return {};
  } catch (const std::exception&) {
    return {};  // load() says why
  }
  const auto header = nlohmann::json::parse(line, nullptr, false);
  if (!header.is_object() || header.contains("publication")) return {};
  const auto created = header.find("created");
  return created != header.end() && created->is_string() ? created->get<std::string>() : std::string();
}

}  // namespace

std::vector<std::string> in_time_order(std::vector<std::string> paths) {
  std::vector<std::size_t> places;
  std::vector<std::pair<std::string, std::string>> runs;  // time, path
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string time = first_time(paths[i]);
    if (time.empty()) continue;
    places.push_back(i);
    runs.emplace_back(time, paths[i]);
  }
  std::ranges::stable_sort(runs, {}, &std::pair<std::string, std::string>::first);
  for (std::size_t i = 0; i < runs.size(); ++i) paths[places[i]] = runs[i].second;
  return paths;
}

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
      spdlog::warn("{}: this run is older than {}, which stands before it; of two results of a point the later file counts", path,
                   last.file);
    }
    if (header.created >= last.created) last = {header.created, path};
  }
}

}  // namespace percycle

#include "site/site_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <variant>

#include "core/counted.hpp"
#include "presentation/presentation.hpp"
#include "presentation/presented.hpp"
#include "report/tally.hpp"
#include "store/record_json.hpp"
#include "store/runs.hpp"
#include "store/share.hpp"

namespace percycle {
namespace {

/// Whether sharing changes or drops the record.
bool has_secrets(Sharer& sharer, const Record& record) {
  return maps_chip(record) || to_json(sharer.share(record)) != to_json(record);
}

/// Why the file cannot be published as it is; empty if it can.
std::string secrets_of(const LoadedFile& file) {
  Sharer sharer({});
  std::size_t count = 0;
  try {
    for (const Header& header : file.headers) count += has_secrets(sharer, header) ? 1 : 0;
    for (const Entry& entry : file.entries)
      count += std::visit([&](const auto& line) { return has_secrets(sharer, line); }, entry) ? 1 : 0;
  } catch (const std::invalid_argument& error) {
    return fmt::format("cannot be shared: {}", error.what());
  }
  if (count == 0) return {};
  return fmt::format("the card or machine is named in {}: percycle share FILE -o OUT", counted(count, "line"));
}

/// The fields that a header lacks.
void check_header(const Header& header, std::set<std::string>& missing) {
  if (header.simulated()) missing.insert("it has runs of a model: a site shows silicon");
  if (header.published() || header.simulated()) return;
  if (!header.device.units) missing.insert("the number of units is unknown, so no figure is per unit");
  if (header.architecture.empty()) missing.insert("the architecture is unknown, so no figure has a limit");
  if (header.tool_commit.empty()) missing.insert("the commit of percycle is unknown: build it from a checkout");
}

/// Experiments with key figures of which nothing was tried.
std::vector<std::string> untried(const LoadedFile& file) {
  std::set<std::string> tried;
  for (const Entry& entry : file.entries) {
    if (const auto* point = std::get_if<PointRecord>(&entry)) tried.insert(point->result.point.experiment);
  }
  std::vector<std::string> names = presented_experiments();
  std::erase_if(names, [&](const std::string& name) {
    const Presentation& about = presentation_of(name);
    const bool is_key = !about.hierarchy_points.empty() ||
                        std::ranges::any_of(about.summary, [](const SummaryFigure& figure) { return !figure.key.empty(); });
    return !is_key || tried.contains(name);
  });
  return names;
}

}  // namespace

std::vector<std::string> missing_for_site(const LoadedFile& file) {
  std::set<std::string> missing;
  for (const Header& header : file.headers) check_header(header, missing);
  if (std::string secrets = secrets_of(file); !secrets.empty()) missing.insert(std::move(secrets));
  Tally tally;
  for (const Run& run : runs(file)) count(tally, run);
  if (tally.unfinished > 0) missing.insert(fmt::format("{} points have no result: percycle run --resume FILE", tally.unfinished));
  const bool is_run = std::ranges::any_of(file.headers, [](const Header& header) { return !header.published(); });
  if (const auto names = untried(file); is_run && !names.empty())
    missing.insert(fmt::format("key figures without points: percycle run {}", fmt::join(names, " ")));
  return {missing.begin(), missing.end()};
}

}  // namespace percycle

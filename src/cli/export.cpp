#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/file_faults.hpp"
#include "cli/is_named.hpp"
#include "cli/output.hpp"
#include "cli/run_order.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "exports/accel_sim.hpp"
#include "exports/roofline.hpp"
#include "exports/write_exports.hpp"
#include "limits/limits.hpp"
#include "report/card_columns.hpp"
#include "report/report_data.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct ExportArguments {
  std::vector<std::string> paths;
  std::string to;
  std::string folder;
};

using Exporter = CardExport (*)(const KeyColumn& card);

const std::map<std::string, Exporter>& exporters() {
  static const std::map<std::string, Exporter> all{{kAccelSim, accel_sim_export}, {kRoofline, roofline_export}};
  return all;
}

void export_cards(const ExportArguments& arguments) {
  ReportCollector collector(limits_catalogue());
  RunOrder order;
  load_each(in_time_order(arguments.paths), [&](LoadedFile&& file) {
    note_faults(file);
    order.add(file);
    if (std::ranges::any_of(file.headers, &Header::published))
      spdlog::warn("{}: published figures are not a run, so percycle skips them", file.path.string());
    collector.add(std::move(file));
  });
  const ReportData data = collector.finish();
  std::vector<CardExport> cards;
  std::vector<std::string> without;
  for (const KeyColumn& card : report_columns(data)) {
    if (CardReadings(card).empty()) continue;
    CardExport exported = exporters().at(arguments.to)(card);
    if (exported.is_measured())
      cards.push_back(std::move(exported));
    else
      without.push_back(std::move(exported.title));
  }
  if (cards.empty()) throw UsageError(fmt::format("these files hold nothing that {} takes", arguments.to));
  if (!without.empty()) spdlog::warn("nothing that {} takes: {}", arguments.to, fmt::join(without, ", "));
  const auto folders = write_exports(cards, arguments.folder);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    std::vector<std::string> names;
    for (const MissingValue& value : cards[i].missing) names.push_back(value.name);
    if (!names.empty())
      spdlog::warn("{}: unknown or known in part: {} (reasons: {})", cards[i].title, fmt::join(names, ", "),
                   (folders[i] / fmt::format("{}-missing.csv", arguments.to)).string());
    output("{}: {} of {}\n", folders[i].string(), counted(cards[i].values.size(), "value"), cards[i].title);
  }
}

}  // namespace

void add_export(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a simulator's configuration or a profiler's roofs from records");
  command->footer("Example: percycle export --to accel-sim card.jsonl -o configs");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz])")->required();
  std::vector<std::string> names;
  for (const auto& [name, exporter] : exporters()) names.push_back(name);
  command
      ->add_option("--to", arguments->to,
                   "accel-sim: options for Accel-Sim and GPGPU-Sim; roofline: tables for ROCm Compute Profiler and the Empirical "
                   "Roofline Toolkit")
      ->check(CLI::IsMember(names))
      ->required();
  command->add_option("-o,--out", arguments->folder, "Folder that gets a folder for each card")
      ->check(is_named)
      ->type_name("DIR")
      ->required();
  command->callback([arguments, &exit_status] {
    export_cards(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle

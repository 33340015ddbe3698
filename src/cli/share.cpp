#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/is_named.hpp"
#include "cli/names_to_remove.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "store/append.hpp"
#include "store/load.hpp"
#include "store/share.hpp"

namespace percycle {
namespace {

struct ShareArguments {
  std::vector<std::string> paths;
  std::string out;
  std::vector<std::string> names;
  bool keep_chip_map = false;
};

constexpr std::size_t kMostTexts = 60;

struct SharedFiles {
  std::vector<Record> records;
  std::size_t mapped = 0;       ///< points of chip maps that were left out
  std::set<std::string> texts;  ///< Sharer::texts()
  std::size_t cut = 0;          ///< Sharer::cut()
};

std::vector<Record> records_of(const LoadedFile& file) {
  std::vector<Record> records(file.headers.begin(), file.headers.end());
  for (const Entry& entry : file.entries) {
    std::visit([&](const auto& line) { records.emplace_back(line); }, entry);
  }
  return records;
}

/// The records of all files without data that identifies card or machine. Throws UsageError for a
/// record that cannot be read or shared.
SharedFiles shared_files(const ShareArguments& arguments) {
  Sharer sharer(names_to_remove(arguments.names));
  SharedFiles shared;
  std::set<std::string> ids;
  for (const std::string& path : arguments.paths) {
    const LoadedFile file = load(path);
    note_faults(file);
    for (const Header& header : file.headers) {
      if (!ids.insert(header.id).second) throw UsageError(fmt::format("{}: holds the run {} again", path, header.id));
    }
    try {
      for (const Record& record : records_of(file)) {
        if (maps_chip(record) && !arguments.keep_chip_map)
          ++shared.mapped;
        else
          shared.records.push_back(sharer.share(record));
      }
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}: cannot be shared: {}", path, error.what()));
    }
  }
  shared.texts = sharer.texts();
  shared.cut = sharer.cut();
  return shared;
}

/// Prints the texts of the copy, for reading, and what is not in it.
void print_rest(const SharedFiles& shared) {
  output("texts in it, numbers as 0:\n");
  std::size_t left = kMostTexts;
  for (const std::string& text : shared.texts) {
    if (left-- == 0) break;
    output("  {}\n", text);
  }
  if (shared.texts.size() > kMostTexts) output("  and {}\n", counted(shared.texts.size() - kMostTexts, "other text"));
  if (shared.cut > 0) output("{} cut before a word that percycle does not know\n", counted(shared.cut, "text"));
  if (shared.mapped > 0)
    output("left out: {} of a map of the chip, which names the card; --keep-chip-map keeps them\n",
           counted(shared.mapped, "point"));
}

void share_files(const ShareArguments& arguments) {
  const SharedFiles shared = shared_files(arguments);
  const std::vector<Record>& records = shared.records;
  if (arguments.out.ends_with(".gz")) {
    write_packed(arguments.out, records);
  } else {
    RecordFile file = RecordFile::create(arguments.out);
    for (const Record& record : records) file.append(record, Durability::process);
  }
  const auto points = std::count_if(records.begin(), records.end(),
                                    [](const Record& record) { return std::holds_alternative<PointRecord>(record); });
  print_rest(shared);
  output("{}: {} without UUID, PCI address and unknown words\n", arguments.out,
         counted(static_cast<std::size_t>(points), "point"));
  print_next("read it, then send it as docs/contributing-records.md says");
}

}  // namespace

void add_share(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ShareArguments>();
  CLI::App* command = app.add_subcommand("share", "Copy records without data that identifies your card or machine");
  command->footer("Example: percycle share card.jsonl -o to-send.jsonl");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz]); give all files of one card together")->required();
  command->add_option("-o,--out", arguments->out, "New record file, compressed if its name ends in .gz")
      ->check(is_named)
      ->type_name("OUT")
      ->required();
  add_names_to_remove(*command, arguments->names);
  command->add_flag("--keep-chip-map", arguments->keep_chip_map,
                    "Keep the points of l2-map: they tell your card from all others of its model");
  command->callback([arguments, &exit_status] {
    share_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle

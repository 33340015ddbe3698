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
std::vector<Record> shared_records(const ShareArguments& arguments) {
  Sharer sharer(names_to_remove(arguments.names));
  std::vector<Record> shared;
  std::set<std::string> ids;
  for (const std::string& path : arguments.paths) {
    const LoadedFile file = load(path);
    note_faults(file);
    for (const Header& header : file.headers) {
      if (!ids.insert(header.id).second) throw UsageError(fmt::format("{}: holds the run {} again", path, header.id));
    }
    try {
      for (const Record& record : records_of(file)) shared.push_back(sharer.share(record));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}: cannot be shared: {}", path, error.what()));
    }
  }
  return shared;
}

void share_files(const ShareArguments& arguments) {
  const std::vector<Record> records = shared_records(arguments);
  if (arguments.out.ends_with(".gz")) {
    write_packed(arguments.out, records);
  } else {
    RecordFile file = RecordFile::create(arguments.out);
    for (const Record& record : records) file.append(record, Durability::process);
  }
  const auto points = std::count_if(records.begin(), records.end(),
                                    [](const Record& record) { return std::holds_alternative<PointRecord>(record); });
  output("{}: {} point{} without UUID, serial number, PCI address, host name and paths\n", arguments.out, points,
         points == 1 ? "" : "s");
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
  command->callback([arguments, &exit_status] {
    share_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle

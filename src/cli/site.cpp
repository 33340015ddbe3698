#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/is_named.hpp"
#include "cli/names_to_remove.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/record_options.hpp"
#include "cli/run_order.hpp"
#include "core/counted.hpp"
#include "site/write_site.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct SiteArguments {
  std::vector<std::string> paths;
  std::string folder;
  std::vector<std::string> names;
  std::string limits;  ///< the user's file; empty if there is none
  bool keep_identity = false;
};

void make_site(const SiteArguments& arguments) {
  const LimitsCatalogue catalogue = limits_with(arguments.limits);
  SiteCards cards(catalogue, arguments.keep_identity ? std::nullopt : std::optional(Sharer(names_to_remove(arguments.names))));
  const std::vector<std::string> paths = in_time_order(arguments.paths);
  // The next file is read while the cards take one.
  const auto begin_loading = [&](std::size_t i) {
    return std::async(std::launch::async, [&paths, i] { return load(paths[i]); });
  };
  std::future<LoadedFile> next = begin_loading(0);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    LoadedFile file = next.get();
    if (i + 1 < paths.size()) next = begin_loading(i + 1);
    note_faults(file);
    cards.add(std::move(file));
  }
  std::deque<SiteCard> all = cards.finish();
  const std::size_t count = all.size();
  const SiteChanges changes = write_site(std::move(all), arguments.folder);
  output("{}/index.html: {}; {} files, {} written, {} removed\n", arguments.folder, counted(count, "card"), changes.files,
         changes.written, changes.removed);
  print_next(fmt::format("open {}/index.html in a browser", arguments.folder), "to publish it: percycle help publishing");
}

}  // namespace

void add_site(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<SiteArguments>();
  CLI::App* command = app.add_subcommand("site", "Make a static site with a page for each card");
  command->footer("Example: percycle site records/*.jsonl.gz -o public");
  add_files_or_cards(*command, arguments->paths);
  command
      ->add_option("-o,--out", arguments->folder,
                   "Folder of the site; only files that changed are written, and files of removed cards leave")
      ->check(is_named)
      ->type_name("DIR")
      ->required();
  command->add_flag("--keep-identity", arguments->keep_identity,
                    "Publish records as they are; without it the site has them as `percycle share` writes them");
  add_names_to_remove(*command, arguments->names);
  add_user_limits(*command, arguments->limits);
  command->callback([arguments, &exit_status] {
    make_site(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle

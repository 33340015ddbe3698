#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "cli/analyze.hpp"
#include "cli/compare.hpp"
#include "cli/devices.hpp"
#include "cli/isa.hpp"
#include "cli/kernels.hpp"
#include "cli/limits.hpp"
#include "cli/list.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "cli/show.hpp"
#include "cli/summary.hpp"
#include "cli/validate.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "platform/signals.hpp"
#include "session/isa_worker.hpp"
#include "session/worker.hpp"

namespace percycle {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

/// One line, whatever the text holds.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

int command_line(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("percycle"));
  spdlog::set_pattern("percycle: %l: %v");
  ignore_broken_pipes();  // a worker that died is seen by its end, not by ours

  if (argc > 1 && std::string_view(argv[1]) == "worker") {
    if (argc == 3 && std::string_view(argv[2]) == kIsaWorker) return isa_worker();
    return worker_main({argv + 2, argv + argc});
  }

  CLI::App app("Measure a GPU's memory hierarchy through OpenCL and Vulkan with the same kernels", "percycle");
  const std::string commit = tool_commit();
  app.set_version_flag("--version", fmt::format("percycle {}{}", tool_version(), commit.empty() ? "" : " (" + commit + ")"));
  app.require_subcommand(1);
  int exit_status = 0;
  add_devices(app, exit_status);
  add_list(app);
  add_limits(app);
  add_kernels(app);
  add_isa(app, exit_status);
  add_run(app, exit_status);
  add_show(app, exit_status);
  add_summary(app, exit_status);
  add_analyze(app, exit_status);
  add_compare(app, exit_status);
  add_report(app, exit_status);
  add_validate(app, exit_status);
  try {
    app.parse(argc, argv);
    return exit_status;
  } catch (const CLI::Success& asked_for_help_or_version) {
    return app.exit(asked_for_help_or_version);
  } catch (const CLI::RequiredError& error) {
    // CLI11 complains of what is missing before it looks at what was there instead.
    const auto unknown = app.remaining();
    spdlog::error("{} (see percycle --help)",
                  unknown.empty() ? one_line(error.what()) : fmt::format("there is no '{}'", unknown.front()));
    return kBadUsage;
  } catch (const CLI::ParseError& error) {
    spdlog::error("{} (see percycle --help)", one_line(error.what()));
    return kBadUsage;
  } catch (const UsageError& error) {
    spdlog::error("{}", one_line(error.what()));
    return kBadUsage;
  } catch (const std::exception& error) {
    spdlog::error("{}", one_line(error.what()));
    return kFailed;
  }
}

}  // namespace percycle

#include "cli/commands.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>

#include "cli/is_named.hpp"
#include "cli/named_experiments.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/kernel_source.hpp"
#include "device/selector.hpp"
#include "html/report_files.hpp"
#include "limits/close_names.hpp"
#include "limits/limits.hpp"
#include "platform/host.hpp"
#include "platform/signals.hpp"
#include "platform/tool.hpp"
#include "platform/user_cache.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/run_summary.hpp"
#include "session/available.hpp"
#include "session/chosen_devices.hpp"
#include "session/compile_pool.hpp"
#include "session/driver_environment.hpp"
#include "session/enumerate.hpp"
#include "session/kept_checks.hpp"
#include "session/machine_checks.hpp"
#include "session/patience.hpp"
#include "session/resume.hpp"
#include "session/run_header.hpp"
#include "session/session.hpp"
#include "session/visibility_masks.hpp"
#include "store/load.hpp"
#include "store/set_aside.hpp"

namespace percycle {
namespace {

constexpr int kInterruptedStatus = 130;  // 128 + SIGINT, as in shells
constexpr const char* kStdout = "-";     // in the place of the record file

struct RunArguments {
  std::vector<std::string> experiments;
  std::vector<std::string> devices;
  std::string api;
  std::string preset = "standard";
  std::vector<std::string> set;
  std::optional<double> time_budget_s;
  std::uint64_t seed = 1;
  std::string out;
  std::string resume;
  bool retry = false;
  bool no_progress = false;
  bool no_codegen = false;
  std::optional<std::string> report;  ///< folder for a report; empty: no report
  bool to_stdout = false;             ///< its file is a temporary one
  bool json = false;                  ///< its summary, alone on stdout
};

std::vector<ChosenExperiment> chosen_experiments(const RunOptions& request) {
  const std::vector<const Experiment*> chosen = named_experiments(request.experiments);
  const auto preset = parse_preset(request.preset);
  if (!preset) throw UsageError(fmt::format("there is no preset '{}' (there are: quick, standard, full)", request.preset));
  const auto options = make_options(chosen, request.set, *preset, request.seed);
  std::vector<ChosenExperiment> experiments;
  for (std::size_t i = 0; i < chosen.size(); ++i) experiments.push_back({chosen[i], options[i]});
  return experiments;
}

RunOptions run_options(const RunArguments& arguments) {
  RunOptions options;
  options.experiments = arguments.experiments;
  if (options.experiments.empty()) {
    for (const auto* each : all_experiments()) options.experiments.push_back(each->name());
  }
  options.preset = arguments.preset;
  options.seed = arguments.seed;
  for (const auto& text : arguments.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError(fmt::format("--set {}: expected key=value", text));
    options.set[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return options;
}

bool is_simulated(const DeviceInfo& device) { return device.api == Api::sim; }

std::string default_file_name(const std::vector<DeviceInfo>& devices) {
  return fmt::format("percycle-{}{:%Y%m%d-%H%M%S}.jsonl",
                     std::any_of(devices.begin(), devices.end(), is_simulated) ? "simulated-" : "",
                     fmt::localtime(std::time(nullptr)));
}

/// " (simulated, not measured: sim:t4)", so that no reader takes the file for a measurement. Empty
/// if no device is simulated.
std::string simulated_note(const std::vector<DeviceRun>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) {
    if (run.header.simulated()) names.push_back(selector(run.header.device));
  }
  return names.empty() ? "" : fmt::format(" (simulated, not measured: {})", fmt::join(names, ", "));
}

ProgressStyle style_of(const RunArguments& arguments) {
  if (arguments.no_progress) return ProgressStyle::none;
  return stderr_is_terminal() ? ProgressStyle::live : ProgressStyle::plain;
}

/// From now on Ctrl-C ends the run after the work under way.
void listen_for_ctrl_c(const RunArguments& arguments) {
  // A live progress line has no line end yet.
  stop_on_interrupt(fmt::format(
      "{}percycle: stopping when the work under way ends (a driver that hangs is ended after {}); Ctrl-C again ends at once\n",
      style_of(arguments) == ProgressStyle::live ? "\n" : "", seconds_text(driver_patience().answer)));
}

using Client = std::shared_ptr<WorkerClient>;

/// A worker for a device, which it has checked. It stays open only if the device is `alone`.
Client checked_worker(const DeviceInfo& device, const std::vector<Card>& cards, bool reads_code, bool alone) {
  std::optional<CodeWish> wish;
  if (reads_code) wish = CodeWish{card_capability(cards, device)};
  auto worker = std::make_shared<WorkerClient>(device, driver_patience().answer, wish);
  worker->check();
  if (!alone) worker->close();
  return worker;
}

struct DeviceWorker {
  DeviceInfo device;
  Client worker;
};

/// The first of `same` that opens, else the first.
DeviceWorker first_that_opens(const CardDrivers& same, const std::vector<Card>& cards, bool reads_code, bool alone) {
  std::optional<DeviceWorker> first;
  for (const DeviceInfo& device : same) {
    DeviceWorker checked{device, checked_worker(device, cards, reads_code, alone)};
    const std::string& refusal = checked.worker->refusal();
    if (refusal.empty() || same.size() == 1) return checked;
    spdlog::warn("{} cannot be opened: {}", selector(device), refusal);
    if (!first) first = std::move(checked);
  }
  return std::move(first).value();
}

constexpr std::chrono::milliseconds kLookAtLoad{250};

/// The planned runs with their workers, and the file that takes their records.
struct Prepared {
  std::vector<ChosenExperiment> experiments;
  std::vector<DeviceRun> runs;
  RecordFile file;
  std::map<std::string, Client> workers;  ///< by the header's id
};

Prepared start(const RunArguments& arguments) {
  const RunOptions options = run_options(arguments);
  auto experiments = chosen_experiments(options);
  export_wgp_mode(options.set);
  std::optional<Api> api;
  if (!arguments.api.empty()) api = parse_api(arguments.api);
  const Enumeration enumeration = available(arguments.devices, enumerate_all);
  const auto devices = select(enumeration, arguments.devices, api);
  for (const auto& problem : enumeration.problems) {
    if (!api || problem.api == *api) spdlog::warn("{}: {}: {}", to_string(problem.api), problem.where, problem.message);
  }
  // plan() throws for options that leave nothing to measure. It must do so before a file exists.
  for (const auto& device : devices) {
    for (const auto& [experiment, values] : experiments) (void)experiment->plan(device, values, {});
  }
  const auto cards = group_by_card(enumeration.devices, host_cpu_name());
  std::vector<CardDrivers> chosen;
  if (arguments.devices.empty())
    chosen = once_per_card(devices, cards);
  else
    std::ranges::transform(devices, std::back_inserter(chosen), [](const DeviceInfo& device) { return CardDrivers{device}; });
  auto file = arguments.out.empty() ? RecordFile::create_another(default_file_name(devices)) : RecordFile::create(arguments.out);
  if (const std::string warning = no_gpu_warning(devices, !arguments.devices.empty(), visibility_masks()); !warning.empty())
    spdlog::warn("{}", warning);
  std::vector<DeviceRun> runs;
  std::map<std::string, Client> workers;
  listen_for_ctrl_c(arguments);
  std::optional<DeviceCheck> load;
  if (!std::all_of(devices.begin(), devices.end(), is_simulated)) load = load_check(busy_share(kLookAtLoad));
  for (const CardDrivers& same : chosen) {
    const auto [device, worker] = first_that_opens(same, cards, !arguments.no_codegen, chosen.size() == 1);
    if (const std::string note = same_card_note(same, device); !note.empty()) spdlog::warn("{}", note);
    Header header = make_header(device, cards, options, static_cast<unsigned>(runs.size()));
    take_checks(header, worker->checked());
    if (!header.simulated()) header.checks.insert(header.checks.begin(), *load);
    workers.emplace(header.id, worker);
    file.append(header);  // before any point: a resumed run needs all devices
    runs.push_back({std::move(header), {}, {}});
  }
  return {std::move(experiments), std::move(runs), std::move(file), std::move(workers)};
}

/// The experiments of a run that `path` holds.
std::vector<ChosenExperiment> resumed_experiments(const std::string& path, const RunOptions& request) {
  try {
    return chosen_experiments(request);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: this percycle cannot continue its run: {}", path, error.what()));
  }
}

Prepared resume(const RunArguments& arguments) {
  const LoadedFile loaded = load(arguments.resume);
  if (loaded.packed) throw UsageError(fmt::format("--resume: {} is compressed: unpack it first (gunzip)", arguments.resume));
  if (loaded.truncated) {
    spdlog::warn("{}:{}: percycle removes a partial last line ({} bytes)", arguments.resume, loaded.truncated->line,
                 loaded.truncated->bytes);
  }
  auto runs = finished_runs(loaded, arguments.retry);
  // All runs of a file have the same options.
  auto experiments = resumed_experiments(arguments.resume, runs.front().header.options);
  export_wgp_mode(runs.front().header.options.set);
  std::vector<std::string> selectors;
  for (const auto& run : runs) selectors.push_back(selector(run.header.device));
  const Enumeration enumeration = available(selectors, enumerate_all);
  match_devices(runs, enumeration, std::string(kernel_source_hash()), operating_system());
  listen_for_ctrl_c(arguments);
  std::map<std::string, Client> workers;
  const auto cards = group_by_card(enumeration.devices, host_cpu_name());
  for (const auto& run : runs)
    workers.emplace(run.header.id, checked_worker(run.header.device, cards, !arguments.no_codegen, runs.size() == 1));
  return {std::move(experiments), std::move(runs), RecordFile::resume(arguments.resume), std::move(workers)};
}

/// Prints a summary of the file, as JSON if the user asks for it. Also writes the wanted report.
void sum_up(const std::filesystem::path& path, const std::optional<std::string>& report, bool json) {
  ReportCollector collector(limits_catalogue(std::nullopt));
  collector.add(load_sound(path));
  const ReportData data = collector.finish();
  if (data.points == 0) return;
  if (json)
    write_bytes(to_line(to_json(run_summary(data))) + '\n');
  else
    output("{}", to_text(run_summary(data)));
  if (!report) return;
  write_report(data, *report);
  output("report: {}/report.html\n", *report);
}

/// Makes the report's folder before the first measurement, so that a bad name costs no measured
/// point.
void make_report_folder(const std::string& folder) {
  if (folder.empty()) throw UsageError("--report: the name of a folder is empty");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw UsageError(fmt::format("--report: cannot make the folder {}: {}", folder, error.message()));
}

/// Prints the command that goes on with the record file `name`.
void print_next_of_run(const RunArguments& arguments, const SessionTally& tally, const std::string& name) {
  if (tally.stopped) return print_next(fmt::format("percycle run --resume {}", name));
  const std::string report = arguments.report ? fmt::format("open {}/report.html in a browser", *arguments.report)
                                              : fmt::format("percycle report {}", name);
  // Only the time budget skips points on a healthy device.
  const bool is_cut = tally.counts.contains(Status::skipped) && !tally.skipped_after_fault;
  print_next(report, is_cut ? fmt::format("the skipped points: percycle run --resume {}", name)
                            : fmt::format("every number: percycle show {}", name));
}

/// Prints the number of points by status, and the next command. Returns the exit status.
int print_end(const RunArguments& arguments, const SessionTally& tally, const std::vector<DeviceRun>& runs,
              const std::string& path) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : tally.counts) counts.push_back(fmt::format("{} {}", count, to_string(status)));
  output("{}: {}{}{}\n", arguments.to_stdout ? kStdout : path, tally.stopped ? "stopped; " : "",
         !counts.empty() ? fmt::format("{}", fmt::join(counts, ", "))
         : tally.stopped ? "no point ended"
                         : "nothing left to measure",
         simulated_note(runs));
  if (!arguments.to_stdout) print_next_of_run(arguments, tally, file_arguments({path}));
  if (tally.stopped) return kInterruptedStatus;
  if (!tally.first_problem.empty()) spdlog::error("{}", tally.first_problem);
  return tally.first_problem.empty() && !tally.skipped_after_fault ? 0 : 1;
}

OpenDevice open_device(const DeviceRun& run, const Client& client, bool reads_code) {
  const RunOptions& options = run.header.options;
  OpenDevice opened;
  opened.measure = [client, options](const Point& point) {
    return client->measure(point, options.preset, options.seed, stop_requested());
  };
  if (!reads_code || run.header.simulated()) return opened;
  opened.read_ahead = [client, options](const std::vector<Point>& points) {
    client->read_ahead(points, options.seed, stop_requested());
  };
  const std::size_t processes = compile_processes(run.header.device, usable_cores());
  if (processes == 0) return opened;
  opened.compile = [client, device = run.header.device, seed = options.seed, processes](const std::vector<Point>& points) {
    compile_in_processes(device, client->code(), points, seed, processes, stop_requested());
  };
  return opened;
}

/// Bounds the files that earlier runs kept.
void trim_user_cache() {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  for (const char* name : {kKnownCodeFolder, kProgramsFolder, kDoctorFolder}) UserCache(user_cache_folder(name)).trim(kMostBytes);
}

int run(const RunArguments& arguments) {
  (void)wanted_processes();  // a wrong number must cost no file
  if (arguments.report) make_report_folder(*arguments.report);
  if (arguments.json) send_output_to_stderr();
  auto [experiments, runs, file, workers] = arguments.resume.empty() ? start(arguments) : resume(arguments);
  const ProgressStyle style = style_of(arguments);
  Progress progress({.style = style, .colour = stderr_has_colour(), .columns = terminal_columns(), .seconds = {}});
  const SessionParts parts{file, progress, stop_requested(), arguments.time_budget_s,
                           [reads_code = !arguments.no_codegen, &workers = workers](const DeviceRun& device_run) {
                             // The worker ends with its device's points.
                             const Client client = std::move(workers.at(device_run.header.id));
                             return open_device(device_run, client, reads_code);
                           }};
  const SessionTally tally = run_session(experiments, runs, parts);
  trim_user_cache();
  sum_up(file.path(), arguments.report, arguments.json);
  return print_end(arguments, tally, runs, file.path().string());
}

/// Measures into a temporary file, which goes to stdout in any case.
int run_to_stdout(RunArguments arguments) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "records.jsonl";
  arguments.out = file.string();
  arguments.to_stdout = true;
  send_output_to_stderr();
  const auto write_records = [&] {
    if (std::filesystem::exists(file)) write_bytes(bytes_of(file));
  };
  try {
    const int status = run(arguments);
    write_records();
    return status;
  } catch (...) {
    write_records();
    throw;
  }
}

}  // namespace

void add_run(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<RunArguments>();
  auto* command = app.add_subcommand("run", "Measure, and append records to a file");
  command->footer("Example: percycle run latency geometry --device vulkan:0 --out card.jsonl");
  auto* resume_option =
      command->add_option("--resume", arguments->resume, "Continue the run in FILE with its devices, experiments and options")
          ->type_name("FILE");
  command->add_flag("--retry", arguments->retry, "With --resume: measure failed points again")->needs(resume_option);
  const auto repeatable = [](CLI::Option* option) {
    return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  };
  // A resumed run takes these from its file.
  for (CLI::Option* planned : {
           command->add_option("experiments", arguments->experiments, "Experiments (see `percycle list`); default: all")
               ->type_name("EXPERIMENT"),
           repeatable(command->add_option("--device", arguments->devices,
                                          "Device: opencl:0, vulkan:1, a part of its name, its UUID or PCI address; simulated: "
                                          "sim:NAME or sim:FILE.toml; repeatable; default: every GPU, without GPUs every CPU"))
               ->type_name("SELECTOR"),
           command->add_option("--api", arguments->api, "Only this API's devices")->check(CLI::IsMember({"opencl", "vulkan"})),
           command->add_option("--preset", arguments->preset, "Number of points and samples: quick, standard or full")
               ->check(CLI::IsMember({"quick", "standard", "full"}))
               ->capture_default_str(),
           repeatable(command->add_option("--set", arguments->set, "A parameter of an experiment; repeatable"))
               ->type_name("KEY=VALUE"),
           command->add_option("--seed", arguments->seed, "Seed of the chains and of the order of points: 0 to 2^64 - 1")
               ->check([](const std::string& text) {  // CLI11 reads -1 as the largest number
                 std::uint64_t seed = 0;
                 const char* end = text.data() + text.size();
                 return std::from_chars(text.data(), end, seed) == std::from_chars_result{end, std::errc()}
                            ? std::string()
                            : fmt::format("'{}' is not a whole number from 0 to 2^64 - 1", text);
               })
               ->capture_default_str(),
           command
               ->add_option("--out", arguments->out,
                            "New record file, or - for stdout at the end; default: percycle-DATE-TIME.jsonl, with simulated "
                            "devices percycle-simulated-...")
               ->check([](const std::string& name) {
                 return name.ends_with(".gz") ? name + ": a run appends lines, so its file is plain: leave .gz out"
                                              : is_named(name);
               })
               ->type_name("FILE"),
       }) {
    resume_option->excludes(planned);
  }
  command->add_option("--time-budget", arguments->time_budget_s, "Skip the points that are left after this time")
      ->type_name("SECONDS")
      ->check([](const std::string& text) {
        char* end = nullptr;
        const double seconds = std::strtod(text.c_str(), &end);
        const bool is_time = *end == '\0' && std::isfinite(seconds) && seconds > 0;
        return is_time ? std::string() : fmt::format("'{}' is not a number of seconds above 0", text);
      });
  command->add_flag("--no-codegen", arguments->no_codegen,
                    "Do not read the machine code of timed kernels; records then have no content of their loops");
  command->add_option("--report", arguments->report, "Also make a report in this folder")->type_name("DIR");
  command->add_flag("--no-progress", arguments->no_progress, "Print no progress");
  command->add_flag("--json", arguments->json, "Print the summary to stdout as one JSON object, and all else to stderr");
  command->callback([arguments, &exit_status] {
    const bool records = arguments->out == kStdout;
    if (records && arguments->json) throw UsageError("--json and --out - both want stdout: leave one out");
    exit_status = records ? run_to_stdout(*arguments) : run(*arguments);
  });
}

}  // namespace percycle

#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle run [EXPERIMENT...]`: measures and appends records. Sets exit_status to 0, 1 or 130.
/// Throws UsageError and RunError.
void add_run(CLI::App& app, int& exit_status);

/// `percycle list [--json]`: lists experiments with their questions, parameters and defaults.
void add_list(CLI::App& app);

/// `percycle devices [--json]`: lists devices by card. Sets exit_status to 0 even without a device:
/// an empty list is a valid answer.
void add_devices(CLI::App& app, int& exit_status);

/// `percycle doctor [--device SELECTOR]... [--json]`: checks the machine and its devices. Sets
/// exit_status to 0: a fault is a valid answer.
void add_doctor(CLI::App& app, int& exit_status);

/// `percycle show FILE... [--limits FILE]`: prints the tables of each file. If a file is bad, shows
/// the others and sets exit_status to 2.
void add_show(CLI::App& app, int& exit_status);

/// `percycle summary FILE...`: prints the summary that a run prints at its end.
void add_summary(CLI::App& app, int& exit_status);

/// `percycle analyze FILE... [--json]`: prints the memory hierarchy of each device.
void add_analyze(CLI::App& app, int& exit_status);

/// `percycle ceilings FILE...`: prints the ceilings of each device and the shares that programs
/// reach.
void add_ceilings(CLI::App& app, int& exit_status);

/// `percycle compare FILE...`: compares record files. Sets exit_status to 3 if a point got worse by
/// more than --fail-above.
void add_compare(CLI::App& app, int& exit_status);

/// `percycle report FILE... [-o DIR]`: writes a report. Reads all files before it writes anything;
/// throws every failure.
void add_report(CLI::App& app, int& exit_status);

/// `percycle site FILE... -o DIR`: writes a site with a page for each card. Reads all files before
/// it writes anything; throws every failure.
void add_site(CLI::App& app, int& exit_status);

/// `percycle export --to FORMAT FILE... -o DIR`: writes the figures of each card for another
/// program. Reads all files before it writes anything; throws every failure.
void add_export(CLI::App& app, int& exit_status);

/// `percycle limits [NAME] [--json] [--limits FILE]`: prints limits and their sources for one
/// device or architecture, or the whole catalogue.
void add_limits(CLI::App& app);

/// `percycle share FILE... -o OUT`: copies records without data that identifies a card or machine.
void add_share(CLI::App& app, int& exit_status);

/// `percycle validate FILE...`: prints one verdict per file. `--schema` prints the JSON Schema.
/// Sets exit_status to 1 for a partial last line, to 2 for a damaged, newer or unreadable file.
void add_validate(CLI::App& app, int& exit_status);

/// `percycle kernels [OPTION]...`: lists every program that an experiment compiles.
void add_kernels(CLI::App& app);

/// `percycle isa KERNEL [OPTION]...`: prints the machine code that a driver generates for a timed
/// kernel. Sets exit_status to 1 if a program does not compile.
void add_isa(CLI::App& app, int& exit_status);

/// `percycle help [TOPIC]`: prints pages of the documentation, the man page or completions.
void add_help(CLI::App& app);

/// Makes `percycle --help` fit one screen.
void set_root_help(CLI::App& app);

/// `--version`, and `--version --json` with compiler and libraries.
void add_version(CLI::App& app);

/// Makes the help of every command that is added later fit 100 columns.
void set_command_help(CLI::App& app);

}  // namespace percycle

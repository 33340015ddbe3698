#include "cli/isa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "codegen/programs/variant_text.hpp"
#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/opencl/opencl.hpp"
#include "device/selector.hpp"
#include "device/vulkan/vulkan.hpp"
#include "platform/child.hpp"
#include "platform/signals.hpp"
#include "session/available.hpp"
#include "session/enumerate.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

// Far above any program of any driver, far below a driver that hangs.
constexpr std::chrono::seconds kPatience{180};

struct Arguments {
  std::string kernel;
  std::vector<std::string> devices;
  std::string api;
  std::vector<std::string> definitions;
  std::string out;
  bool json = false;
  bool code = false;
};

/// A program as a device's driver compiled it.
struct Compiled {
  KernelVariant variant;
  std::string failure;  ///< why it did not compile; then the rest is empty
  std::optional<CodeInfo> info;
  KernelCode code;
  Codegen codegen;
  std::vector<std::string> warnings;
  std::vector<std::string> files;
};

std::map<std::string, std::string> parse_definitions(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> definitions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError(fmt::format("--define {}: expected NAME=VALUE", text));
    definitions[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return definitions;
}

/// "FORM: FORM_INDEX, FORM_POINTER; LANES: 1, 32".
std::string values_of(const std::vector<KernelVariant>& variants) {
  std::map<std::string, std::set<std::string>> values;
  for (const KernelVariant& each : variants) {
    for (const auto& [name, value] : each.desc.definitions) values[name].insert(value);
  }
  std::vector<std::string> parts;
  for (const auto& [name, all] : values) parts.push_back(fmt::format("{}: {}", name, fmt::join(all, ", ")));
  return parts.empty() ? "no definitions" : fmt::format("{}", fmt::join(parts, "; "));
}

/// The timed programs and controls of that kernel on the device that have these definitions. Throws UsageError, which names what there is.
std::vector<KernelVariant> wanted_variants(const DeviceInfo& device, const Arguments& arguments) {
  std::vector<KernelVariant> variants = kernel_variants(device);
  std::erase_if(variants, [](const KernelVariant& each) { return each.role == KernelRole::helper; });
  std::set<std::string> names;
  for (const KernelVariant& each : variants) names.insert(each.desc.name);
  if (!names.contains(arguments.kernel))
    throw UsageError(
        fmt::format("{} has no timed kernel '{}' (it has: {})", selector(device), arguments.kernel, fmt::join(names, ", ")));
  std::erase_if(variants, [&](const KernelVariant& each) { return each.desc.name != arguments.kernel; });
  std::vector<KernelVariant> wanted = variants;
  for (const auto& [name, value] : parse_definitions(arguments.definitions)) {
    std::erase_if(wanted, [&, name = name, value = value](const KernelVariant& each) {
      const auto found = each.desc.definitions.find(name);
      return found == each.desc.definitions.end() || found->second != value;
    });
  }
  if (wanted.empty()) {
    throw UsageError(fmt::format("{}: no program of kernel '{}' is compiled with {} (there are {})", selector(device),
                                 arguments.kernel, fmt::join(arguments.definitions, " "), values_of(variants)));
  }
  return wanted;
}

Compiled compile(Device& device, const KernelVariant& variant, const std::optional<std::string>& capability,
                 Disassembler& disassembler) {
  Compiled made{.variant = variant, .failure = {}, .info = {}, .code = {}, .codegen = {}, .warnings = {}, .files = {}};
  KernelDesc desc = variant.desc;
  desc.keep_code = true;
  try {
    const auto kernel = device.create(desc);
    made.info = device.code(*kernel);
    made.code = kernel_code(device, *kernel, capability, disassembler);
    const TimedCode timed{desc.name, variant.turn, variant.has_loop};
    made.codegen = summarize(made.code, made.info, timed);
    made.warnings = codegen_warnings(made.codegen, timed);
  } catch (const DeviceError& error) {
    made.failure = error.what();
  }
  return made;
}

void write_files(Compiled& program, const DeviceInfo& device, const fs::path& folder) {
  for (const CodeForm& form : program.code.forms) {
    const std::string name =
        fmt::format("{}-{}.{}.{}", to_string(device.api), device.index, variant_name(program.variant), form.suffix);
    std::ofstream file(folder / name, std::ios::binary);
    file << form.text;
    file.flush();
    if (!file) throw UsageError(fmt::format("--out: {} cannot be written", (folder / name).string()));
    program.files.push_back(name);
  }
}

std::string counts_text(const CodeCounts& counts) {
  std::vector<std::string> parts;
  for (const CodeAccess& each : counts.accesses) {
    const bool silent = each.kind == "atomic" && !each.returns;
    parts.push_back(
        fmt::format("{} x {} {} of {} B{}", each.count, each.space, each.kind, each.bytes, silent ? ", returning nothing" : ""));
  }
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(counts.alu, "operations");
  add(counts.scalar_alu, "scalar operations");
  add(counts.branches, "branches");
  add(counts.calls, "calls");
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (counts.alu_per_access) text += fmt::format("; {:.2f} operations to an access", *counts.alu_per_access);
  return text;
}

std::string statistics_text(const Compiled& program) {
  std::vector<std::string> parts;
  if (program.info && program.info->subgroup_size) parts.push_back(fmt::format("subgroup {}", *program.info->subgroup_size));
  if (program.info) {
    for (const auto& [name, value] : program.info->statistics) parts.push_back(fmt::format("{} {}", name, value));
  }
  return parts.empty() ? "says nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string text_of(const Compiled& program, bool code) {
  std::string all = variant_name(program.variant) + '\n';
  const auto line = [&](const char* label, const std::string& text) { all += fmt::format("    {:<11}{}\n", label, text); };
  line("source", fmt::format("{}; {}", variant_text(program.variant), fmt::join(program.variant.experiments, ", ")));
  if (!program.failure.empty()) {
    line("error", program.failure);
    return all;
  }
  line("driver", statistics_text(program));
  const Codegen& codegen = program.codegen;
  if (!codegen.form.empty()) {
    line("code", codegen.form);
    line(codegen.whole ? "all of it" : "loop", codegen.counts ? counts_text(*codegen.counts) : "none found");
  }
  for (const std::string& each : program.code.reasons) line("missing", each);
  for (const std::string& each : program.warnings) line("warning", each);
  if (!program.files.empty()) line("files", fmt::format("{}", fmt::join(program.files, " ")));
  if (!code) return all;
  for (const CodeForm& form : program.code.forms) {
    if (!form.binary) all += fmt::format("\n--- {} ---\n{}\n", form.name, form.text);
  }
  return all;
}

nlohmann::json program_json(const Compiled& program, const DeviceInfo& device, bool code) {
  nlohmann::json object = variant_json(program.variant);
  object["device"] = selector(device);
  object["name"] = variant_name(program.variant);
  if (!program.failure.empty()) {
    object["error"] = program.failure;
    return object;
  }
  if (program.info) {
    object["statistics"] = program.info->statistics;
    if (program.info->subgroup_size) object["compiled_subgroup_size"] = *program.info->subgroup_size;
  }
  object["codegen"] = to_json(program.codegen);
  object["missing"] = program.code.reasons;
  object["warnings"] = program.warnings;
  if (!program.files.empty()) object["files"] = program.files;
  if (code) {
    object["texts"] = nlohmann::json::object();
    for (const CodeForm& form : program.code.forms) {
      if (!form.binary) object["texts"][form.name] = form.text;
    }
  }
  return object;
}

void emit(const nlohmann::json& event) {
  if (!write_event(to_line(event) + '\n')) std::_Exit(1);  // the parent is gone
}

/// What a worker is to compile, as its parent tells it.
nlohmann::json request(const DeviceInfo& device, const std::optional<std::string>& capability, const Arguments& arguments) {
  return {{"api", to_string(device.api)}, {"open_index", device.open_index},
          {"index", device.index},        {"capability", capability.value_or("")},
          {"kernel", arguments.kernel},   {"definitions", arguments.definitions},
          {"out", arguments.out},         {"json", arguments.json},
          {"code", arguments.code}};
}

void compile_all(const nlohmann::json& request) {
  Arguments arguments;
  arguments.kernel = request.at("kernel").get<std::string>();
  arguments.definitions = request.at("definitions").get<std::vector<std::string>>();
  arguments.out = request.at("out").get<std::string>();
  arguments.json = request.at("json").get<bool>();
  arguments.code = request.at("code").get<bool>();
  const auto capability = request.at("capability").get<std::string>();
  const auto open_index = request.at("open_index").get<std::uint32_t>();
  const auto device = request.at("api") == to_string(Api::opencl) ? open_opencl(open_index) : open_vulkan(open_index);
  DeviceInfo info = device->info();
  info.index = request.at("index").get<std::uint32_t>();  // over all drivers; this process sees one

  const std::vector<KernelVariant> variants = wanted_variants(info, arguments);
  const bool alone = std::ranges::count(variants, KernelRole::timed, &KernelVariant::role) == 1;
  Disassembler disassembler;
  for (const KernelVariant& variant : variants) {
    Compiled program = compile(*device, variant, capability.empty() ? std::nullopt : std::optional(capability), disassembler);
    const bool code = arguments.code || variants.size() == 1 || (alone && variant.role == KernelRole::timed);
    if (!arguments.out.empty()) write_files(program, info, arguments.out);
    nlohmann::json event{{"failed", !program.failure.empty()}};
    if (arguments.json) {
      event["program"] = program_json(program, info, code);
    } else {
      event["text"] = text_of(program, code);
    }
    emit(event);
  }
  emit({{"end", true}});
}

/// Compiles in a process of its own, which sees no driver but the device's, and hands out each program's event. Throws UsageError and
/// RunError, also where the driver crashes or hangs.
template <typename Take>
void compile_in_worker(const DeviceInfo& device, const nlohmann::json& request, const Take& take) {
  Child child({kIsaWorker}, only_driver(device.api, device.driver_manifest));
  child.send(to_line(request));
  for (;;) {
    const auto event = child.next(std::chrono::steady_clock::now() + kPatience);
    if (event.kind == Child::Event::Kind::timed_out && event.interrupted) continue;
    if (event.kind == Child::Event::Kind::timed_out)
      throw RunError(fmt::format("{}: compiling a program took more than {} s", selector(device), kPatience.count()));
    if (event.kind == Child::Event::Kind::ended)
      throw RunError(fmt::format("{}: the driver crashed while compiling ({})", selector(device), event.text));
    const auto told = nlohmann::json::parse(event.text);
    if (told.contains("end")) return;
    if (told.contains("usage")) throw UsageError(told.at("usage").get<std::string>());
    if (told.contains("error")) throw RunError(told.at("error").get<std::string>());
    take(told);
  }
}

int print_isa(const Arguments& arguments) {
  std::optional<Api> api;
  if (!arguments.api.empty()) api = parse_api(arguments.api);
  const Enumeration enumeration = available(arguments.devices, enumerate_all);
  const auto devices = select(enumeration, arguments.devices, api, DeviceUse::compile);
  for (const DeviceInfo& device : devices) {
    if (device.api == Api::sim)
      throw UsageError(
          fmt::format("{}: a simulated device has no machine code; `percycle kernels` shows its programs", selector(device)));
  }
  for (const DeviceInfo& device : devices) static_cast<void>(wanted_variants(device, arguments));  // before anything is printed
  if (!arguments.out.empty()) {
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) throw UsageError(fmt::format("--out: {} cannot be made: {}", arguments.out, error.message()));
  }
  const auto cards = group_by_card(enumeration.devices, "");
  auto programs = nlohmann::json::array();
  bool failed = false;
  for (const DeviceInfo& device : devices) {
    if (!arguments.json) fmt::print("{} {}, {}\n", selector(device), device.name, device.driver);
    compile_in_worker(device, request(device, card_capability(cards, device), arguments), [&](const nlohmann::json& told) {
      failed = failed || told.at("failed").get<bool>();
      if (arguments.json) {
        programs.push_back(told.at("program"));
      } else {
        fmt::print("{}", told.at("text").get<std::string>());
      }
    });
  }
  if (arguments.json) fmt::print("{}\n", to_line(nlohmann::json{{"programs", std::move(programs)}}));
  return failed ? 1 : 0;
}

}  // namespace

int isa_worker() {
  end_with_parent();
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  try {
    compile_all(nlohmann::json::parse(line));
  } catch (const UsageError& error) {
    emit({{"usage", error.what()}});
  } catch (const std::exception& error) {
    emit({{"error", error.what()}});
  }
  std::_Exit(0);  // drivers' destructors at exit crash or hang often enough
}

void add_isa(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<Arguments>();
  auto* command =
      app.add_subcommand("isa", "What a device's compiler makes of a timed kernel: registers, and what its timed loop holds");
  const auto repeatable = [](CLI::Option* option) {
    return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  command->add_option("kernel", arguments->kernel, "A kernel, see `percycle kernels`")->type_name("KERNEL")->required();
  repeatable(command->add_option("--device", arguments->devices,
                                 "Device, as for `percycle run`; also one that can only compile; repeatable"))
      ->type_name("SELECTOR");
  command->add_option("--api", arguments->api, "Only this API's devices")->check(CLI::IsMember({"opencl", "vulkan"}));
  repeatable(command->add_option("--define", arguments->definitions, "Only programs with this definition; repeatable"))
      ->type_name("NAME=VALUE");
  command->add_option("--out", arguments->out, "Folder to write all forms of each program's code to, also those that are no text")
      ->type_name("DIR");
  command->add_flag("--code", arguments->code, "Print the code, too; done anyway for the timed program where one is left");
  command->add_flag("--json", arguments->json, "As JSON");
  command->callback([arguments, &exit_status] { exit_status = print_isa(*arguments); });
}

}  // namespace percycle

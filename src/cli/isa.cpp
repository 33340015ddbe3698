#include "cli/isa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/variant_text.hpp"
#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/opencl/opencl.hpp"
#include "device/selector.hpp"
#include "device/vulkan/vulkan.hpp"
#include "session/available.hpp"
#include "session/enumerate.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

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

std::unique_ptr<Device> open(const DeviceInfo& info) {
  for (const auto& [name, value] : only_driver(info.api, info.driver_manifest)) setenv(name.c_str(), value.c_str(), 1);
  return info.api == Api::opencl ? open_opencl(info.open_index) : open_vulkan(info.open_index);
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

void print_text(const Compiled& program, bool code) {
  fmt::print("{}\n", variant_name(program.variant));
  const auto line = [](const char* label, const std::string& text) { fmt::print("    {:<11}{}\n", label, text); };
  line("source", fmt::format("{}; {}", variant_text(program.variant), fmt::join(program.variant.experiments, ", ")));
  if (!program.failure.empty()) return line("error", program.failure);
  line("driver", statistics_text(program));
  const Codegen& codegen = program.codegen;
  if (!codegen.form.empty()) {
    line("code", codegen.form);
    line(codegen.whole ? "all of it" : "loop", codegen.counts ? counts_text(*codegen.counts) : "none found");
  }
  for (const std::string& each : program.code.reasons) line("missing", each);
  for (const std::string& each : program.warnings) line("warning", each);
  if (!program.files.empty()) line("files", fmt::format("{}", fmt::join(program.files, " ")));
  if (!code) return;
  for (const CodeForm& form : program.code.forms) {
    if (!form.binary) fmt::print("\n--- {} ---\n{}\n", form.name, form.text);
  }
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
  const auto cards = group_by_card(enumeration.devices, "");
  std::vector<std::vector<KernelVariant>> variants;
  for (const DeviceInfo& device : devices) variants.push_back(wanted_variants(device, arguments));
  if (!arguments.out.empty()) {
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) throw UsageError(fmt::format("--out: {} cannot be made: {}", arguments.out, error.message()));
  }
  auto programs = nlohmann::json::array();
  bool failed = false;
  Disassembler disassembler;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& info = devices[i];
    const bool alone = std::ranges::count(variants[i], KernelRole::timed, &KernelVariant::role) == 1;
    const auto device = open(info);
    if (!arguments.json) fmt::print("{} {}, {}\n", selector(info), info.name, info.driver);
    for (const KernelVariant& variant : variants[i]) {
      Compiled program = compile(*device, variant, card_capability(cards, info), disassembler);
      failed = failed || !program.failure.empty();
      const bool code = arguments.code || variants[i].size() == 1 || (alone && variant.role == KernelRole::timed);
      if (!arguments.out.empty()) write_files(program, info, arguments.out);
      if (arguments.json) {
        programs.push_back(program_json(program, info, code));
      } else {
        print_text(program, code);
      }
    }
  }
  if (arguments.json) fmt::print("{}\n", to_line(nlohmann::json{{"programs", std::move(programs)}}));
  return failed ? 1 : 0;
}

}  // namespace

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

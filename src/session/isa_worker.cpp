#include "session/isa_worker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "codegen/programs/variant_text.hpp"
#include "core/error.hpp"
#include "device/opencl/opencl.hpp"
#include "device/selector.hpp"
#include "device/vulkan/vulkan.hpp"
#include "platform/child.hpp"
#include "platform/signals.hpp"
#include "session/enumerate.hpp"
#include "session/patience.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

/// A program compiled by a device's driver.
struct CompiledProgram {
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
  for (const KernelVariant& variant : variants) {
    for (const auto& [name, value] : variant.desc.definitions) values[name].insert(value);
  }
  std::vector<std::string> parts;
  for (const auto& [name, choices] : values) parts.push_back(fmt::format("{}: {}", name, fmt::join(choices, ", ")));
  return parts.empty() ? "no definitions" : fmt::format("{}", fmt::join(parts, "; "));
}

CompiledProgram compile(Device& device, const KernelVariant& variant, const std::optional<std::string>& capability,
                        Disassembler& disassembler) {
  CompiledProgram made{.variant = variant, .failure = {}, .info = {}, .code = {}, .codegen = {}, .warnings = {}, .files = {}};
  KernelDesc desc = variant.desc;
  desc.keep_code = true;
  try {
    const auto kernel = device.create(desc);
    made.info = device.code(*kernel);
    made.code = kernel_code(device, *kernel, capability, disassembler);
    const TimedCode timed{desc.name, variant.turn, variant.has_loop, variant.arithmetic};
    made.codegen = summarize(made.code, made.info, timed);
    made.warnings = codegen_warnings(made.codegen, timed);
  } catch (const DeviceError& error) {
    made.failure = error.what();
  }
  return made;
}

void write_files(CompiledProgram& program, const DeviceInfo& device, const std::filesystem::path& folder) {
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
  for (const CodeAccess& access : counts.accesses) {
    const bool silent = access.kind == "atomic" && !access.returns;
    parts.push_back(fmt::format("{} x {} {} of {} B{}", access.count, access.space, access.kind, access.bytes,
                                silent ? ", returning nothing" : ""));
  }
  const auto add = [&](std::uint64_t count, const char* noun) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, noun));
  };
  add(counts.alu, "operations");
  add(counts.scalar_alu, "scalar operations");
  add(counts.branches, "branches");
  add(counts.calls, "calls");
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (counts.alu_per_access) text += fmt::format("; {:.2f} operations to an access", *counts.alu_per_access);
  return text;
}

std::string statistics_text(const CompiledProgram& program) {
  std::vector<std::string> parts;
  if (program.info && program.info->subgroup_size) parts.push_back(fmt::format("subgroup {}", *program.info->subgroup_size));
  if (program.info) {
    for (const auto& [name, value] : program.info->statistics) parts.push_back(fmt::format("{} {}", name, value));
  }
  return parts.empty() ? "says nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string text_of(const CompiledProgram& program, bool code) {
  std::string lines = variant_name(program.variant) + '\n';
  const auto line = [&](const char* label, const std::string& text) { lines += fmt::format("    {:<11}{}\n", label, text); };
  line("source", fmt::format("{}; {}", variant_text(program.variant), fmt::join(program.variant.experiments, ", ")));
  if (!program.failure.empty()) {
    line("error", program.failure);
    return lines;
  }
  line("driver", statistics_text(program));
  const Codegen& codegen = program.codegen;
  if (!codegen.form.empty()) {
    line("code", codegen.form);
    line(codegen.whole ? "all of it" : "loop", codegen.counts ? counts_text(*codegen.counts) : "none found");
  }
  for (const std::string& reason : program.code.reasons) line("missing", reason);
  if (!codegen.note.empty()) line("note", codegen.note);
  for (const std::string& warning : program.warnings) line("warning", warning);
  if (!program.files.empty()) line("files", fmt::format("{}", fmt::join(program.files, " ")));
  if (!code) return lines;
  for (const CodeForm& form : program.code.forms) {
    if (!form.binary) lines += fmt::format("\n--- {} ---\n{}\n", form.name, form.text);
  }
  return lines;
}

nlohmann::json program_json(const CompiledProgram& program, const DeviceInfo& device, bool code) {
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

void emit_program(const nlohmann::json& event) {
  if (!write_event(to_line(event))) std::_Exit(1);  // the parent is gone
}

/// The line with a worker's device and request.
nlohmann::json request_json(const DeviceInfo& device, const std::optional<std::string>& capability, const IsaRequest& request) {
  return {{"api", to_string(device.api)}, {"open_index", device.open_index},
          {"index", device.index},        {"capability", capability.value_or("")},
          {"kernel", request.kernel},     {"definitions", request.definitions},
          {"out", request.out},           {"json", request.json},
          {"code", request.code}};
}

void compile_all(const nlohmann::json& line) {
  IsaRequest request;
  request.kernel = line.at("kernel").get<std::string>();
  request.definitions = line.at("definitions").get<std::vector<std::string>>();
  request.out = line.at("out").get<std::string>();
  request.json = line.at("json").get<bool>();
  request.code = line.at("code").get<bool>();
  const auto capability = line.at("capability").get<std::string>();
  const auto open_index = line.at("open_index").get<std::uint32_t>();
  // Over all drivers; this process sees one.
  const auto index = line.at("index").get<std::uint32_t>();
  const auto device = line.at("api") == to_string(Api::opencl) ? open_opencl(open_index, index) : open_vulkan(open_index, index);
  const DeviceInfo& info = device->info();

  const std::vector<KernelVariant> variants = wanted_variants(info, request);
  const bool alone = std::ranges::count(variants, KernelRole::timed, &KernelVariant::role) == 1;
  Disassembler disassembler;
  for (const KernelVariant& variant : variants) {
    CompiledProgram program =
        compile(*device, variant, capability.empty() ? std::nullopt : std::optional(capability), disassembler);
    const bool code = request.code || variants.size() == 1 || (alone && variant.role == KernelRole::timed);
    if (!request.out.empty()) write_files(program, info, request.out);
    nlohmann::json event{{"failed", !program.failure.empty()}};
    if (request.json) {
      event["program"] = program_json(program, info, code);
    } else {
      event["text"] = text_of(program, code);
    }
    emit_program(event);
  }
  emit_program({{"end", true}});
}

/// Runs one worker to its end. Returns its failure, if any.
std::optional<std::string> compile_once(const DeviceInfo& device, const std::optional<std::string>& capability,
                                        const IsaRequest& request, const std::function<void(const nlohmann::json&)>& take) {
  const auto patience = driver_patience().answer;
  Child child({kIsaWorker}, only_driver(device.api, device.driver_manifest));
  child.send(to_line(request_json(device, capability, request)));
  for (;;) {
    const auto event = child.next(std::chrono::steady_clock::now() + patience);
    if (event.kind == Child::Event::Occurrence::timed_out && event.interrupted) continue;
    if (event.kind == Child::Event::Occurrence::timed_out)
      return fmt::format("compiling a program took more than {}", seconds_text(patience));
    if (event.kind == Child::Event::Occurrence::ended) return fmt::format("the driver crashed while compiling ({})", event.text);
    const auto answer = nlohmann::json::parse(event.text);
    if (answer.contains("end")) return std::nullopt;
    if (answer.contains("usage")) throw UsageError(answer.at("usage").get<std::string>());
    if (answer.contains("error")) throw RunError(answer.at("error").get<std::string>());
    take(answer);
  }
}

}  // namespace

std::vector<KernelVariant> wanted_variants(const DeviceInfo& device, const IsaRequest& request) {
  std::vector<KernelVariant> variants = kernel_variants(device);
  std::erase_if(variants, [](const KernelVariant& variant) { return variant.role == KernelRole::helper; });
  std::set<std::string> names;
  for (const KernelVariant& variant : variants) names.insert(variant.desc.name);
  if (!names.contains(request.kernel))
    throw UsageError(
        fmt::format("{} has no timed kernel '{}' (it has: {})", selector(device), request.kernel, fmt::join(names, ", ")));
  std::erase_if(variants, [&](const KernelVariant& variant) { return variant.desc.name != request.kernel; });
  std::vector<KernelVariant> wanted = variants;
  for (const auto& [name, value] : parse_definitions(request.definitions)) {
    std::erase_if(wanted, [&, name = name, value = value](const KernelVariant& variant) {
      const auto found = variant.desc.definitions.find(name);
      if (found == variant.desc.definitions.end()) return !value.empty();
      return found->second != value;
    });
  }
  if (wanted.empty()) {
    throw UsageError(fmt::format("{}: no program of kernel '{}' is compiled with {} (there are {})", selector(device),
                                 request.kernel, fmt::join(request.definitions, " "), values_of(variants)));
  }
  return wanted;
}

void compile_in_worker(const DeviceInfo& device, const std::optional<std::string>& capability, const IsaRequest& request,
                       const std::function<void(const nlohmann::json&)>& take) {
  bool any = false;
  const auto noted = [&](const nlohmann::json& program) {
    any = true;
    take(program);
  };
  auto failure = compile_once(device, capability, request, noted);
  if (failure && !any) {  // another driver may be to blame
    if (const auto alone = with_its_driver_alone(device)) failure = compile_once(*alone, capability, request, noted);
  }
  if (failure) throw RunError(fmt::format("{}: {}", selector(device), *failure));
}

int isa_worker() {
  end_with_parent();
  ignore_alarms();
  open_channel();
  std::string line;
  if (!read_request(line)) return 0;
  try {
    compile_all(nlohmann::json::parse(line));
  } catch (const UsageError& error) {
    emit_program({{"usage", error.what()}});
  } catch (const std::exception& error) {
    emit_program({{"error", error.what()}});
  }
  std::_Exit(0);  // drivers' destructors at exit often crash or hang
}

}  // namespace percycle

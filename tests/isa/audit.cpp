// Audits every kernel's code from compilers for absent GPUs: percycle_isa_audit list [GROUP] | run
// TARGET WORK | table FILE... `run` prints a JSON object per line, the compiler's first. `table`
// prints tests/isa/codegen.md, for a group tests/isa/codegen-GROUP.md.

#include <algorithm>
#include <exception>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <span>
#include <stdexcept>
#include <string>

#include "target.hpp"
#include "verdict.hpp"

namespace percycle::audit {
namespace {

using Json = nlohmann::json;

/// If variants differ only in work-group size and an array in local memory: the variant with the
/// largest group, which leaves an invocation the fewest registers.
std::vector<KernelVariant> largest_groups(const std::vector<KernelVariant>& variants) {
  std::map<std::string, KernelVariant> by_rest;
  for (const KernelVariant& variant : variants) {
    KernelVariant rest = variant;
    rest.desc.local_size = 1;
    rest.desc.definitions.erase("ELEMENTS");
    const auto [found, is_new] = by_rest.try_emplace(variant_name(rest), variant);
    if (!is_new && variant.desc.local_size > found->second.desc.local_size) found->second = variant;
  }
  std::vector<KernelVariant> chosen;
  for (auto& [name, variant] : by_rest) chosen.push_back(std::move(variant));
  return chosen;
}

/// Whether this target audits the program; streams of 8 chains represent streams of fewer.
bool is_audited(const Target& target, const KernelVariant& variant) {
  if (!variant.arithmetic || variant.arithmetic->branches > 0) return true;
  const auto chains = variant.desc.definitions.find("CHAINS");
  if (chains != variant.desc.definitions.end() && chains->second != "8") return false;
  return target.arithmetic == Target::Arithmetic::all ||
         (target.arithmetic == Target::Arithmetic::matrices && !variant.desc.matrix_factors.empty());
}

/// The program without clock stamps: the stamps of a few groups do not belong to the traffic.
KernelVariant without_stamps(KernelVariant variant) {
  if (variant.desc.definitions.erase("STAMPS") == 0) return variant;
  std::erase_if(variant.desc.bindings, [](const KernelBinding& binding) { return binding.name == "stamps"; });
  std::erase_if(variant.desc.parameters, [](const KernelParameter& parameter) { return parameter.name == "stamped"; });
  return variant;
}

const Target& target_of(const std::string& name) {
  const auto found = std::ranges::find(all_targets(), name, &Target::name);
  if (found == all_targets().end()) throw std::runtime_error("there is no target '" + name + "'");
  return *found;
}

void run(const Target& target, const std::string& work) {
  const Compiler compiler = open_compiler(target, work);
  fmt::print("{}\n", Json{{"target", target.name}, {"compiler", compiler.version}}.dump());
  std::vector<KernelVariant> variants = largest_groups(compiler.variants);
  std::erase_if(variants, [&](const KernelVariant& variant) { return !is_audited(target, variant); });
  std::ranges::transform(variants, variants.begin(), without_stamps);
  if (compiler.compile_ahead) compiler.compile_ahead(variants);
  for (const KernelVariant& variant : variants) {
    Verdict verdict;
    try {
      verdict = judge(variant, target.dialect, compiler.compile(variant));
    } catch (const std::exception& error) {
      // clang names its nodes by address, which differs from run to run.
      static const std::regex address("0x[0-9a-f]{8,}");
      verdict.reason = fmt::format("does not compile: {}", std::regex_replace(error.what(), address, "0x..."));
    }
    fmt::print("{}\n", Json{{"target", target.name},
                            {"kernel", variant.desc.name},
                            {"definitions", variant.desc.definitions},
                            {"role", to_string(variant.role)},
                            {"experiments", variant.experiments},
                            {"found", verdict.found},
                            {"alu", verdict.alu},
                            {"reason", verdict.reason}}
                           .dump());
  }
}

/// The key of a line of the table: properties shared by several targets.
struct Row {
  std::string kernel;
  std::string definitions;
  Verdict verdict;

  auto operator<=>(const Row&) const = default;
};

std::string definitions_of(const Json& object) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : object.items()) {
    // Numbers of one kind of hardware that do not affect a row's result.
    if (name != "ELEMENTS" && name != "LOCAL_WORDS") parts.push_back(fmt::format("{}={}", name, value.get<std::string>()));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

void print_rows(const std::map<Row, std::vector<std::string>>& rows, bool holds) {
  fmt::print(
      "\n| kernel | definitions | targets | a turn of the timed loop | operations to an access |{}\n| --- | --- | --- | --- | "
      "---: |{}\n",
      holds ? "" : " reason |", holds ? "" : " --- |");
  for (const auto& [row, targets] : rows) {
    if (row.verdict.reason.empty() != holds) continue;
    fmt::print("| {} | {} | {} | {} | {} |{}\n", row.kernel, row.definitions, fmt::join(targets, ", "), row.verdict.found,
               row.verdict.alu, holds ? "" : fmt::format(" {} |", row.verdict.reason));
  }
}

/// The text of a separate table for the group's targets.
struct Group {
  const char* title = "";
  const char* source = "";  ///< origin of the code, in brackets
  const char* about = "";
};

Group group_of(const std::string& name) {
  if (name == "anv")
    return {": Vulkan on Intel", "",
            "Mesa's driver anv opens a device without a GPU if Mesa's no-op DRM shim is in the process.\n"
            "`tools/build-anv-shim` builds the shim; without it the test is skipped. [`codegen.md`](codegen.md) has the other "
            "targets."};
  if (name == "sass")
    return {": NVIDIA SASS", " (ptxas makes SASS from clang's PTX)",
            "ptxas and nvdisasm come with CUDA; without them the test is skipped. `percycle isa` and the records of a run show "
            "the\n"
            "code of NVIDIA's own compilers of OpenCL and Vulkan. [`codegen.md`](codegen.md) has the other targets."};
  return {"", " (NVIDIA: PTX; GFX6 and GFX7 through Vulkan: ACO's intermediate representation)",
          "[`codegen-anv.md`](codegen-anv.md) has Vulkan on Intel, [`codegen-sass.md`](codegen-sass.md) NVIDIA's SASS. Both "
          "need more than the packages of Debian's main."};
}

void print_head(const std::string& group) {
  const auto [title, source, about] = group_of(group);
  const std::string test = group.empty() ? "codegen" : "codegen_" + group;
  fmt::print(
      "# Machine code of the kernels{}\n\n"
      "The test `cli.{}` compiles every variant of every kernel (`percycle kernels`) for GPUs that are not present{}.\n"
      "If variants differ only in the size of a work-group or of an array in local memory, it takes the one with the largest\n"
      "group. Accesses are per lane. Operations are instructions of lanes and of the subgroup, per measured access. For kernels\n"
      "without a loop the whole kernel counts. Helpers are listed only if something is wrong.\n"
      "`PERCYCLE_WRITE_CODEGEN=1 ctest -R 'cli.{}$'` writes this file again.\n{}\n\n",
      title, test, source, test, about);
}

void print_table(std::span<const std::string> files) {
  std::map<Row, std::vector<std::string>> rows;
  std::map<std::string, std::vector<std::string>> compilers;
  std::string group;
  std::size_t number = 0;
  std::size_t failing = 0;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + " cannot be read");
    for (std::string line; std::getline(in, line);) {
      const Json object = Json::parse(line);
      const std::string target = object.at("target");
      if (object.contains("compiler")) {
        compilers[object.at("compiler")].push_back(target);
        group = target_of(target).group;
        continue;
      }
      ++number;
      const Row row{object.at("kernel"),
                    definitions_of(object.at("definitions")),
                    {object.at("found"), object.at("alu"), object.at("reason")}};
      if (!row.verdict.reason.empty()) ++failing;
      if (object.at("role") == "helper" && row.verdict.reason.empty()) continue;
      auto& targets = rows[row];
      if (targets.empty() || targets.back() != target) targets.push_back(target);
    }
  }
  print_head(group);
  fmt::print("{} of {} compiled programs lack the intended accesses.\n\n", failing, number);
  for (const auto& [compiler, targets] : compilers) fmt::print("- {}: {}\n", compiler, fmt::join(targets, ", "));
  fmt::print("\n## Programs that lack the intended accesses\n");
  print_rows(rows, false);
  fmt::print("\n## Programs with the intended accesses\n");
  print_rows(rows, true);
}

}  // namespace
}  // namespace percycle::audit

int main(int argc, char** argv) {
  using namespace percycle::audit;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool lists = !arguments.empty() && arguments[0] == "list";
    if (lists && arguments.size() <= 2) {
      const std::string group = arguments.size() == 2 ? arguments[1] : "";
      for (const Target& target : all_targets())
        if (target.group == group) fmt::print("{}\n", target.name);
    } else if (arguments.size() == 3 && arguments[0] == "run") {
      run(target_of(arguments[1]), arguments[2]);
    } else if (arguments.size() > 1 && arguments[0] == "table") {
      print_table(std::span(arguments).subspan(1));
    } else {
      throw std::runtime_error("usage: percycle_isa_audit list [GROUP] | run TARGET WORK | table FILE...");
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}

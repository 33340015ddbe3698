#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/is_named.hpp"
#include "cli/output.hpp"
#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "codegen/programs/program.hpp"
#include "codegen/programs/variant_text.hpp"
#include "core/error.hpp"

namespace percycle {
namespace {

struct KernelsArguments {
  std::string api;
  std::vector<std::string> kinds;
  std::string out;
  bool json = false;
};

void write_file(const std::filesystem::path& path, std::span<const char> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw UsageError(fmt::format("--out: {} cannot be written", path.string()));
}

/// Writes the program and returns the name of its file.
std::string write_program(const std::filesystem::path& folder, const KernelVariant& variant, const DeviceInfo& gpu) {
  const bool opencl = gpu.api == Api::opencl;
  const std::string name = fmt::format("{}.{}.{}", gpu.name, variant_name(variant), opencl ? "cl" : "spv");
  if (opencl) {
    write_file(folder / name, opencl_program(variant, gpu.name));
  } else {
    const auto words = vulkan_module(variant, gpu);
    std::vector<char> bytes(words.size() * sizeof words[0]);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    write_file(folder / name, bytes);
  }
  return name;
}

void print_kernels(const KernelsArguments& arguments) {
  if (!arguments.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.out, error);
    if (error) throw UsageError(fmt::format("--out: {} cannot be made: {}", arguments.out, error.message()));
  }
  auto kernels = nlohmann::json::array();
  for (const Api api : {Api::opencl, Api::vulkan}) {
    if (!arguments.api.empty() && arguments.api != to_string(api)) continue;
    for (const std::string_view kind : kGpuKinds) {
      if (!arguments.kinds.empty() && std::ranges::find(arguments.kinds, kind) == arguments.kinds.end()) continue;
      const DeviceInfo gpu = imagined_gpu(api, kind);
      for (const KernelVariant& variant : kernel_variants(gpu)) {
        const std::string file = arguments.out.empty() ? "" : write_program(arguments.out, variant, gpu);
        if (!arguments.json) {
          output("{} {} {}\n    {}; {}\n", to_string(api), kind, variant_name(variant), variant_text(variant),
                 fmt::join(variant.experiments, ", "));
          continue;
        }
        nlohmann::json object = variant_json(variant);
        object["api"] = to_string(api);
        object["gpu"] = kind;
        if (!file.empty()) object["file"] = file;
        kernels.push_back(std::move(object));
      }
    }
  }
  if (arguments.json) output("{}\n", nlohmann::json{{"kernels", std::move(kernels)}}.dump(2));
}

}  // namespace

void add_kernels(CLI::App& app) {
  auto arguments = std::make_shared<KernelsArguments>();
  auto* command = app.add_subcommand("kernels", "List every program, with the accesses in its timed loop");
  command->footer("Example: percycle kernels --gpu rdna --api vulkan");
  command->add_option("--api", arguments->api, "Only programs for this API")->check(CLI::IsMember({"opencl", "vulkan"}));
  command->add_option("--gpu", arguments->kinds, "Only programs for this kind of GPU")
      ->check(CLI::IsMember(std::vector<std::string>(kGpuKinds.begin(), kGpuKinds.end())));
  command->add_option("--out", arguments->out, "Write each program to this folder, as OpenCL C or SPIR-V")
      ->check(is_named)
      ->type_name("DIR");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments] { print_kernels(*arguments); });
}

}  // namespace percycle

#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/is_named.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "session/available.hpp"
#include "session/enumerate.hpp"
#include "session/isa_worker.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

struct Arguments {
  std::vector<std::string> devices;
  std::string api;
  IsaRequest request;
};

int print_isa(const Arguments& arguments) {
  const IsaRequest& request = arguments.request;
  std::optional<Api> api;
  if (!arguments.api.empty()) api = parse_api(arguments.api);
  const Enumeration enumeration = available(arguments.devices, enumerate_all);
  const auto devices = select(enumeration, arguments.devices, api, DeviceUse::compile);
  for (const DeviceInfo& device : devices) {
    if (device.api == Api::sim)
      throw UsageError(
          fmt::format("{}: a simulated device has no machine code; `percycle kernels` shows its programs", selector(device)));
  }
  // Throws for an unknown kernel or definition before anything is printed.
  for (const DeviceInfo& device : devices) static_cast<void>(wanted_variants(device, request));
  if (!request.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(request.out, error);
    if (error) throw UsageError(fmt::format("--out: {} cannot be made: {}", request.out, error.message()));
  }
  const auto cards = group_by_card(enumeration.devices, "");
  auto programs = nlohmann::json::array();
  bool failed = false;
  for (const DeviceInfo& device : devices) {
    if (!request.json) output("{} {}, {}\n", selector(device), device.name, device.driver);
    compile_in_worker(device, card_capability(cards, device), request, [&](const nlohmann::json& program) {
      failed = failed || program.at("failed").get<bool>();
      if (request.json) {
        programs.push_back(program.at("program"));
      } else {
        output("{}", program.at("text").get<std::string>());
      }
    });
  }
  if (request.json) output("{}\n", to_line(nlohmann::json{{"programs", std::move(programs)}}));
  return failed ? 1 : 0;
}

}  // namespace

void add_isa(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("isa", "Show the machine code of a timed kernel and its registers");
  command->footer("Example: percycle isa latency --device vulkan:0 --code");
  const auto repeatable = [](CLI::Option* option) {
    return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  };
  command->add_option("KERNEL", arguments->request.kernel, "A kernel, see `percycle kernels`")->type_name("KERNEL")->required();
  repeatable(command->add_option("--device", arguments->devices,
                                 "Device as for `percycle run`, or one that can only compile; repeatable"))
      ->type_name("SELECTOR");
  command->add_option("--api", arguments->api, "Only this API's devices")->check(CLI::IsMember({"opencl", "vulkan"}));
  repeatable(command->add_option("--define", arguments->request.definitions,
                                 "Only programs with this definition, or without it (NAME=); repeatable"))
      ->type_name("NAME=VALUE");
  command->add_option("--out", arguments->request.out, "Write each program's code to this folder, in all forms")
      ->check(is_named)
      ->type_name("DIR");
  command->add_flag("--code", arguments->request.code, "Also print the code; default: only if exactly one timed program is left");
  command->add_flag("--json", arguments->request.json, "Print JSON");
  command->callback([arguments, &exit_status] { exit_status = print_isa(*arguments); });
}

}  // namespace percycle

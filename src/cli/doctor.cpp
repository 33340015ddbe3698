#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "platform/host.hpp"
#include "session/available.hpp"
#include "session/doctor.hpp"
#include "session/enumerate.hpp"

namespace percycle {
namespace {

struct DoctorArguments {
  std::vector<std::string> devices;
  bool json = false;
};

void doctor(const DoctorArguments& arguments) {
  const Enumeration enumeration = available(arguments.devices, enumerate_all);
  const auto devices = arguments.devices.empty() ? enumeration.devices : select(enumeration, arguments.devices, std::nullopt);
  const Diagnosis diagnosis = diagnose(enumeration, devices);
  keep(diagnosis, group_by_card(enumeration.devices, host_cpu_name()));
  // A name from a driver may not be UTF-8. Losing a character is better than failing.
  if (arguments.json)
    return write_output(diagnosis_json(diagnosis).dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  write_output(diagnosis_text(diagnosis));
  if (!devices.empty()) print_next("percycle run");
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("doctor", "Check the machine, its drivers and its devices");
  command->footer("Example: percycle doctor");
  const auto arguments = std::make_shared<DoctorArguments>();
  command->add_option("--device", arguments->devices, "Device as of `run --device`; repeatable; default: every device")
      ->type_name("SELECTOR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the lines");
  command->callback([arguments, &exit_status] {
    doctor(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle

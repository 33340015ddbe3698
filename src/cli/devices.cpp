#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "device/selector.hpp"
#include "platform/host.hpp"
#include "session/device_listing.hpp"
#include "session/enumerate.hpp"
#include "sim/model.hpp"

namespace percycle {

void add_devices(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("devices", "List devices by card, with the features that each API has or lacks");
  command->footer("Example: percycle devices");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON object instead of the table");
  command->callback([json, &exit_status] {
    const Enumeration enumeration = enumerate_all();
    const std::vector<std::string> simulated = sim::shipped_models();
    if (*json) {
      // A name from a driver may not be UTF-8. Losing a character is better than failing.
      write_output(
          devices_json(enumeration, host_cpu_name(), simulated).dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
      write_output("\n");
    } else {
      write_output(devices_text(enumeration, host_cpu_name(), simulated));
      if (!enumeration.devices.empty())
        print_next("percycle run", fmt::format("one device: percycle run --device {}", selector(enumeration.devices.front())));
    }
    exit_status = 0;
  });
}

}  // namespace percycle

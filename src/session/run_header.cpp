#include "session/run_header.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "core/hash.hpp"
#include "core/version.hpp"
#include "device/kernel_source.hpp"
#include "limits/agreed_units.hpp"
#include "limits/architecture.hpp"
#include "limits/limits.hpp"
#include "platform/host.hpp"
#include "session/identity_checks.hpp"
#include "session/kept_checks.hpp"

namespace percycle {

std::string utc_now() {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Header make_header(const DeviceInfo& device, const std::vector<Card>& cards, const RunOptions& options, unsigned ordinal) {
  Header header;
  header.created = utc_now();
  header.tool_version = tool_version();
  header.tool_commit = tool_commit();
  header.os = operating_system();
  header.device = device;
  header.identity = card_identity(cards, device);
  for (const auto& card : cards) {
    if (card.identity != header.identity) continue;
    const auto architecture = recognise(card);
    // The hardware behind a model names its units but does not make it silicon of that
    // architecture.
    if (architecture && !header.simulated()) header.architecture = architecture->name;
    header.unit_name = unit_name(architecture);
    if (!header.simulated()) header.catalogue_units = catalogue_units(limits_catalogue(), card);
  }
  header.options = options;
  header.kernels_hash = kernel_source_hash();
  const auto moment = std::chrono::system_clock::now().time_since_epoch().count();
  header.id = hex64(fnv1a(fmt::format("{} {} {} {} {}", moment, process_id(), ordinal, header.identity, to_string(device.api))));
  return header;
}

void take_checks(Header& header, const DeviceChecks& checked) {
  DeviceInfo& device = header.device;
  header.checks = stated_checks(device);
  header.checks.insert(header.checks.end(), checked.checks.begin(), checked.checks.end());
  // Kernels that fail today contradict what `doctor` found by kernels before.
  if (std::ranges::find(checked.checks, kKernelCheck, &DeviceCheck::name) == checked.checks.end())
    std::ranges::move(kept_checks(device, header.identity), std::back_inserter(header.checks));
  if (checked.subgroup_size) {
    device.subgroup_sizes = {*checked.subgroup_size};
    device.subgroup_size_control = false;
  }
  if (checked.max_allocation_bytes) device.max_allocation_bytes = checked.max_allocation_bytes;
  if (!checked.units) return;
  if (device.units) header.reported_units = device.units->value;
  device.units = {*checked.units, Provenance::measured_by_time};
}

}  // namespace percycle

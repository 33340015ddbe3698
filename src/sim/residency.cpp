#include "sim/residency.hpp"

#include <algorithm>
#include <string>

namespace percycle::sim {
namespace {

constexpr std::uint32_t kOtherRegisters = 7;  // addresses, clocks, the loop's counter

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

std::uint32_t registers_of(const KernelDesc& kernel) {
  const auto values = kernel.definitions.find("VALUES");
  if (values == kernel.definitions.end()) return 0;
  return static_cast<std::uint32_t>(std::stoul(values->second)) + kOtherRegisters;
}

std::uint64_t groups_that_fit(const Model& model, const ResidentGroups& groups) {
  const UnitCapacity& unit = *model.residency;
  const std::uint64_t subgroups = (groups.lanes + model.subgroup_size - 1) / model.subgroup_size;
  const std::uint64_t registers = subgroups * model.subgroup_size * round_up(groups.registers, unit.register_step);
  std::uint64_t most = std::min<std::uint64_t>(unit.groups, unit.subgroups / subgroups);
  if (registers > 0) most = std::min(most, unit.registers / registers);
  if (groups.local_bytes > 0)
    most = std::min(most, unit.local_bytes / (round_up(groups.local_bytes, unit.local_step) + unit.local_overhead));
  return most;
}

}  // namespace percycle::sim

#include "sim/operation_costs.hpp"

#include <algorithm>

#include "expected/instruction_stream.hpp"

namespace percycle::sim {
namespace {

/// The operation whose costs a model states: forms of an operation cost the same.
std::string_view priced(std::string_view name) {
  for (const std::string_view form : {"-xyz", "-xcc", "-xxx", "-uniform"}) {
    if (name.ends_with(form)) name.remove_suffix(form.size());
  }
  return name;
}

double latency(const Model& model, std::string_view name) {
  const auto known = model.operation_cycles.find(priced(name));
  return known == model.operation_cycles.end() ? model.cycles_per_operation : known->second;
}

/// Cycles of a scheduler from one subgroup's operation to the next one of the same kind.
double interval(const Model& model, std::string_view name) {
  const auto known = model.operation_results.find(priced(name));
  if (known == model.operation_results.end()) return 1;
  const double results = static_cast<double>(model.subgroup_size) * find_stream_operation(name)->results;
  return results * model.schedulers / known->second;
}

/// Cycles of one step of one chain, or of two chains of two operations. The two run in parallel,
/// and a scheduler begins one operation after the other.
double step_interval(const Model& model, const OperationStream& stream) {
  const double first = interval(model, stream.name);
  if (stream.partner.empty()) return first;
  const double second = interval(model, stream.partner);
  return std::max({first, second, 2 * std::min({first, second, 1.0})});
}

double step_latency(const Model& model, const OperationStream& stream) {
  const double first = latency(model, stream.name);
  return stream.partner.empty() ? first : std::max(first, latency(model, stream.partner));
}

}  // namespace

double results_per_cycle(const Model& model, std::string_view operation) {
  const double results = static_cast<double>(model.subgroup_size) * find_stream_operation(operation)->results;
  return results * model.schedulers / interval(model, operation);
}

std::vector<double> operation_stream_cycles(const Model& model, std::span<const OperationStream> together) {
  // All streams of a dispatch are alike but for their subgroups.
  std::vector<std::vector<double>> subgroups(model.units, std::vector<double>(model.schedulers));
  for (const auto& stream : together) {
    for (const std::uint32_t subgroup : stream.subgroups) ++subgroups[stream.group % model.units][subgroup % model.schedulers];
  }
  std::vector<double> busy(model.units);
  for (std::size_t unit = 0; unit < busy.size(); ++unit) {
    const double most = *std::max_element(subgroups[unit].begin(), subgroups[unit].end());
    if (most == 0) continue;
    const OperationStream& stream = together.front();
    const double step = std::max(step_latency(model, stream), most * stream.chains * step_interval(model, stream));
    busy[unit] = static_cast<double>(stream.steps) * step;
  }
  return busy;
}

}  // namespace percycle::sim

#include "codegen/programs/kernel_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include "codegen/programs/recording_device.hpp"
#include "core/configuration.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/provenance.hpp"
#include "core/units.hpp"
#include "experiments/experiment.hpp"
#include "measure/alu_chain.hpp"

namespace percycle {
namespace {

// Enough for every experiment to plan a point of each kind.
constexpr int kGenerations = 24;

/// Latency of a load on the imagined device, by the bytes walked.
double imagined_latency_ns(std::uint64_t bytes) {
  if (bytes <= 16 * kKiB) return 20;
  return bytes <= 2 * kMiB ? 100 : 300;
}

PointResult imagined_result(const Point& point) {
  const double ns = imagined_latency_ns(static_cast<std::uint64_t>(integer_or(point.parameters, "footprint", 0)));
  Measurement measurement;
  for (const char* name : {figures::kNsPerOp, figures::kGbPerS, figures::kGopsPerS}) {
    measurement.statistics[name] = Summary{.median = ns, .mad = ns / 1000, .min = ns, .max = ns, .n = 5};
  }
  return {point, {}, std::move(measurement), {}};
}

/// Every combination of the single-word parameters, each with all values of the list parameters.
std::vector<std::map<std::string, std::string>> all_settings(const Experiment& experiment) {
  std::vector<std::map<std::string, std::string>> settings(1);
  for (const ParameterSpec& spec : experiment.parameters()) {
    if (spec.type == ParameterSpec::Type::words) {
      for (auto& each : settings) each[spec.name] = fmt::format("{}", fmt::join(spec.choices, ","));
    } else if (spec.type == ParameterSpec::Type::word) {
      std::vector<std::map<std::string, std::string>> more;
      for (const auto& each : settings) {
        for (const auto& choice : spec.choices) {
          more.push_back(each);
          more.back()[spec.name] = choice;
        }
      }
      settings = std::move(more);
    }
  }
  return settings;
}

/// The properties that distinguish programs; for constants only whether there are any.
auto key_of(const KernelDesc& desc) {
  return std::make_tuple(desc.name, desc.definitions, desc.local_size, binding_kinds(desc.bindings), desc.constants.empty(),
                         desc.subgroup_size, desc.float_atomics);
}

/// Throws std::invalid_argument naming kernel and parameter for a missing value or an unknown
/// parameter.
void run_once(RecordingDevice& device, const Trial& trial) {
  for (const auto* dispatches : {&trial.setup, &trial.before_sample}) {
    for (const auto& dispatch : *dispatches) device.run(dispatch);
  }
  const auto run = [&](const LoopedDispatch& looped) {
    if (looped.transfer || !looped.dispatch.kernel) return;  // without a kernel of percycle's
    Dispatch dispatch = looped.dispatch;
    if (!looped.loops_parameter.empty()) dispatch.parameters.insert_or_assign(looped.loops_parameter, 0);
    device.run(dispatch);
  };
  run(trial.timed);
  if (trial.control) run(*trial.control);
}

class Collection {
 public:
  explicit Collection(const DeviceInfo& device) : device_(device) {}

  void add(const KernelDesc& desc, KernelRole role, const std::string& experiment, const LoopedDispatch* looped = nullptr) {
    const auto [found, is_new] = by_key_.try_emplace(key_of(desc), variants_.size());
    if (is_new) {
      variants_.push_back({desc, role, {}, {}});
    }
    KernelVariant& variant = variants_[found->second];
    variant.experiments.insert(experiment);
    variant.role = std::min(variant.role, role);
    if (looped == nullptr || !looped->turn) return;
    if (variant.turn && variant.turn != looped->turn)
      throw std::logic_error(variant_name(variant) + ": two meanings of one kernel");
    variant.turn = looped->turn;
    variant.has_loop = !looped->groups_per_loop;
    variant.arithmetic = looped->arithmetic;
  }

  /// All kernels of a point.
  void add(const Experiment& experiment, const Point& point) {
    RecordingDevice device(device_);
    const Trial trial = experiment.prepare(device, point, 1);
    run_once(device, trial);
    for (const auto& kernel : device.kernels()) {
      if (!kernel->desc.optimize) continue;  // the source of another variant
      const auto is = [&](const Dispatch& dispatch) { return dispatch.kernel == kernel; };
      if (is(trial.timed.dispatch)) {
        add(kernel->desc, KernelRole::timed, experiment.name(), &trial.timed);
      } else if (trial.control && is(trial.control->dispatch)) {
        add(kernel->desc, KernelRole::control, experiment.name(), &*trial.control);
      } else {
        add(kernel->desc, KernelRole::helper, experiment.name());
      }
    }
  }

  std::vector<KernelVariant> take() { return std::move(variants_); }

 private:
  const DeviceInfo& device_;
  std::vector<KernelVariant> variants_;
  std::map<decltype(key_of(std::declval<KernelDesc>())), std::size_t> by_key_;
};

/// The key of points that differ only in sizes; the first of them represents all.
std::string without_sizes(Point point) {
  for (const std::string& size : presentation_of(point.experiment).sizes) point.parameters.erase(size);
  for (const char* common : {kRole, "repeat"}) point.parameters.erase(common);
  return to_string(point);
}

}  // namespace

std::vector<Point> planned_points(const Experiment& experiment, const DeviceInfo& device) {
  std::vector<Point> planned;
  std::set<std::string> known;
  for (const auto& setting : all_settings(experiment)) {
    const Experiment* one = &experiment;
    const Options options = make_options({&one, 1}, setting, Preset::standard, 1).front();
    std::vector<PointResult> done;
    std::set<std::string> answered;
    for (int generation = 0; generation < kGenerations; ++generation) {
      std::vector<Point> points;
      try {
        points = experiment.plan(device, options, done);
      } catch (const UsageError&) {
        break;  // nothing can be measured together with these words
      }
      bool more = false;
      for (const Point& point : points) {
        if (!answered.insert(to_string(point)).second) continue;
        more = true;
        const Experiment& owner = *find_experiment(point.experiment);
        const auto reason = owner.unsupported(device, point);
        done.push_back(reason ? PointResult{point, {Status::unsupported, *reason}, {}, {}} : imagined_result(point));
        if (!reason && known.insert(without_sizes(point)).second) planned.push_back(point);
      }
      if (!more) break;
    }
  }
  return planned;
}

std::string_view to_string(KernelRole role) {
  switch (role) {
    case KernelRole::timed:
      return "timed";
    case KernelRole::control:
      return "control";
    case KernelRole::helper:
      return "helper";
  }
  return "";
}

std::vector<KernelVariant> kernel_variants(const DeviceInfo& described, const std::vector<const Experiment*>& experiments) {
  DeviceInfo device = described;
  if (!device.memory_bytes && !device.compile_only.empty()) {
    device.memory_bytes = 8 * kGiB;
    device.max_allocation_bytes = 4 * kGiB;
  }
  Collection collection(device);
  for (const Experiment* experiment : experiments) {
    for (const Point& point : experiment->conditional_points(device)) {
      if (!experiment->unsupported(device, point)) collection.add(*experiment, point);
    }
    for (const Point& point : planned_points(*experiment, device)) collection.add(*find_experiment(point.experiment), point);
  }
  RecordingDevice recording(device);
  const AluChain chain(recording);
  for (const auto& kernel : recording.kernels())
    collection.add(kernel->desc, KernelRole::timed, std::string(to_string(Provenance::calibrated_chain)));
  auto variants = collection.take();
  std::ranges::sort(variants, {}, variant_name);
  return variants;
}

std::string variant_name(const KernelVariant& variant) {
  std::string name = variant.desc.name;
  for (const auto& [macro, value] : variant.desc.definitions) name += fmt::format(".{}={}", macro, value);
  name += fmt::format(".group={}", variant.desc.local_size);
  if (variant.desc.subgroup_size) name += fmt::format(".subgroup={}", *variant.desc.subgroup_size);
  return name;
}

}  // namespace percycle

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "core/parameters.hpp"
#include "device/device.hpp"
#include "experiments/trial.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

enum class Preset { quick, standard, full };

std::string_view to_string(Preset preset);
std::optional<Preset> parse_preset(std::string_view text);

/// One parameter of an experiment, which the user sets with --set NAME=VALUE.
struct ParameterSpec {
  enum class Type {
    word,    ///< one of `choices`
    words,   ///< a comma-separated list of `choices`
    bytes,   ///< a size: 4096, 48K, 512M; or auto
    number,  ///< a whole number from 1 to `most`; or auto
  };

  std::string name;
  Type type = Type::word;
  std::vector<std::string> choices;  ///< word and words only
  std::string default_value;         ///< "auto" if the device or the preset decides
  std::string help;
  std::uint32_t most = UINT32_MAX;  ///< largest number
};

/// The options of one experiment: every parameter has its default or a checked value.
struct Options {
  Preset preset = Preset::standard;
  std::map<std::string, std::string> values;
  std::uint64_t seed = 0;

  const std::string& value(const std::string& name) const { return values.at(name); }
};

/// One question about the hardware. An experiment has no sample loop, no clock, no statistics and
/// no output.
class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual std::string name() const = 0;
  virtual Presentation presentation() const = 0;
  virtual std::vector<ParameterSpec> parameters() const = 0;

  /// The points to measure, given all finished points of the run: first the whole sweep, then
  /// refinements, at last no open point. Pure. Throws UsageError if the options leave nothing to
  /// measure on this device.
  virtual std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const = 0;

  /// Extra points that plan() emits only after certain results. `percycle kernels` needs them to
  /// list every program. Pure.
  virtual std::vector<Point> rare_points(const DeviceInfo& /*device*/) const { return {}; }

  /// Why this device cannot measure this point; decided before anything runs. Pure.
  virtual std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const = 0;

  /// The time that a point takes by plan, if it is more than the seconds of a usual one. Pure.
  virtual std::chrono::seconds planned_time(const Point& /*point*/) const { return {}; }

  /// Allocates, compiles and describes the runs. Throws DeviceError.
  virtual Trial prepare(Device& device, const Point& point, std::uint64_t seed) const = 0;
};

/// Every experiment, by name. Each registers itself, so that a new one touches only its own file.
const std::vector<const Experiment*>& all_experiments();

/// The experiment with this name; nullptr if there is none.
const Experiment* find_experiment(std::string_view name);

/// Registers an experiment for the life of the program. Use at namespace scope:
/// `const RegisterExperiment registered(std::make_unique<Latency>());`
class RegisterExperiment {
 public:
  explicit RegisterExperiment(std::unique_ptr<Experiment> experiment);
};

/// Checks --set values and fills in defaults. A key of `set` is "key" (for every chosen experiment
/// with that parameter) or "experiment.key". Throws UsageError that names the unknown key or the
/// bad value.
std::vector<Options> make_options(std::span<const Experiment* const> experiments, const std::map<std::string, std::string>& set,
                                  Preset preset, std::uint64_t seed);

}  // namespace percycle

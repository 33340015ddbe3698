#pragma once

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

/// One parameter of an experiment as the user sets it with --set NAME=VALUE.
struct ParameterSpec {
  enum class Type {
    word,    ///< one of `choices`
    words,   ///< a comma-separated list of `choices`
    bytes,   ///< a size: 4096, 48K, 512M; or `automatic`
    number,  ///< a whole number from 1 to `most`; or `automatic`
  };

  std::string name;
  Type type = Type::word;
  std::vector<std::string> choices;  ///< word and words only
  std::string default_value;         ///< "auto" where the device or the preset decides
  std::string help;
  std::uint32_t most = UINT32_MAX;  ///< of a number
};

/// What the user asked of one experiment: every parameter has its default or a checked value.
struct Options {
  Preset preset = Preset::standard;
  std::map<std::string, std::string> values;
  std::uint64_t seed = 0;

  const std::string& value(const std::string& name) const { return values.at(name); }
};

/// One question asked of the hardware. Holds no loop over samples, no clock, no statistics and no printing.
class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual std::string name() const = 0;
  virtual Presentation presentation() const = 0;
  virtual std::vector<ParameterSpec> parameters() const = 0;

  /// The points to measure, given those already finished, of other experiments in the same run, too: the whole sweep at first, then refinements,
  /// at last nothing that is not done.
  /// Pure; equal arguments give equal plans. Throws UsageError when the options leave nothing to measure on this device.
  virtual std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const = 0;

  /// Points whose programs plan() asks for only where earlier results are of a certain kind: who needs every program (variants/) has them from here. Pure.
  virtual std::vector<Point> rare_points(const DeviceInfo& /*device*/) const { return {}; }

  /// Why this device cannot do this point; decided before anything runs. Pure.
  virtual std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const = 0;

  /// Allocates, compiles and describes the runs. Throws DeviceError.
  virtual Trial prepare(Device& device, const Point& point, std::uint64_t seed) const = 0;
};

/// Every experiment, in name order. Each registers itself, so that adding one touches its own file only.
const std::vector<const Experiment*>& all_experiments();

/// The experiment of that name; nullptr when there is none.
const Experiment* find_experiment(std::string_view name);

/// Registers an experiment for the life of the program: `const RegisterExperiment registered(std::make_unique<Mine>());` at namespace scope.
class RegisterExperiment {
 public:
  explicit RegisterExperiment(std::unique_ptr<Experiment> experiment);
};

/// Checks --set values against the experiments' parameters and fills in defaults. `set` may name a parameter as "key" (of every chosen
/// experiment that has it) or "experiment.key". Throws UsageError naming an unknown key (and those there are) or a value that does not fit.
std::vector<Options> make_options(std::span<const Experiment* const> experiments, const std::map<std::string, std::string>& set,
                                  Preset preset, std::uint64_t seed);

}  // namespace percycle

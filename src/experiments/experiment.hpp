#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/measurement.hpp"
#include "core/parameters.hpp"
#include "device/device.hpp"
#include "experiments/trial.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

enum class Preset { quick, standard, full };

std::string_view to_string(Preset preset);
std::optional<Preset> parse_preset(std::string_view text);

/// The one of three values that belongs to the preset.
template <typename Value>
Value by_preset(Preset preset, Value quick, Value standard, Value full) {
  return preset == Preset::quick ? quick : preset == Preset::standard ? standard : full;
}

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
  std::vector<std::string> choices{};      ///< word and words only
  std::string default_value = kAutomatic;  ///< kAutomatic if the device or the preset decides
  std::string help{};
  std::uint32_t most = UINT32_MAX;  ///< largest number

  static constexpr const char* kAutomatic = "auto";
};

// The declaration of a parameter is also the key to its value: `options[kPaths]`.

struct WordParameter : ParameterSpec {
  /// The first choice is the default.
  WordParameter(std::string name, std::vector<std::string> choices, std::string help);
};

struct WordsParameter : ParameterSpec {
  /// The default is the list of all choices.
  WordsParameter(std::string name, std::vector<std::string> choices, std::string help);
  WordsParameter(std::string name, std::vector<std::string> choices, std::string default_value, std::string help);
};

struct BytesParameter : ParameterSpec {
  BytesParameter(std::string name, std::string help, std::string default_value = kAutomatic);
};

struct NumberParameter : ParameterSpec {
  NumberParameter(std::string name, std::string help, std::uint32_t most = UINT32_MAX);
};

/// The value of one parameter.
struct OptionValue {
  std::string text;                       ///< as the user wrote it
  std::vector<std::string> words{};       ///< of a word or words; empty with auto
  std::optional<std::uint64_t> number{};  ///< of bytes or a number; empty with auto
};

/// The options of one experiment: every parameter has its default or a checked value.
struct Options {
  Preset preset = Preset::standard;
  std::map<std::string, OptionValue> values;
  std::uint64_t seed = 0;

  const std::string& operator[](const WordParameter& parameter) const { return values.at(parameter.name).text; }
  const std::vector<std::string>& operator[](const WordsParameter& parameter) const { return values.at(parameter.name).words; }
  std::optional<std::uint64_t> operator[](const BytesParameter& parameter) const { return values.at(parameter.name).number; }
  std::optional<std::uint32_t> operator[](const NumberParameter& parameter) const {
    const auto& number = values.at(parameter.name).number;
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  }

  /// The value as the user wrote it.
  const std::string& text(const ParameterSpec& parameter) const { return values.at(parameter.name).text; }

  /// Whether the list has this word.
  bool has(const WordsParameter& parameter, std::string_view word) const;

  /// The list of words; `automatic` with auto.
  std::vector<std::string> words_or(const WordsParameter& parameter, const std::vector<std::string>& automatic) const;

  /// The exception that says what is wrong with the value of this parameter.
  UsageError refusal(const ParameterSpec& parameter, const std::string& problem) const;
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
  virtual std::vector<Point> conditional_points(const DeviceInfo& /*device*/) const { return {}; }

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

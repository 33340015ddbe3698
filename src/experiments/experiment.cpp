#include "experiments/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/common/word_list.hpp"

namespace percycle {
namespace {

std::vector<std::unique_ptr<Experiment>>& owned_experiments() {
  static std::vector<std::unique_ptr<Experiment>> experiments;
  return experiments;
}

void check_value(const Experiment& experiment, const ParameterSpec& spec, const std::string& value) {
  const auto refuse = [&](const std::string& expected) {
    throw UsageError(
        fmt::format("--set {}={}: {} of experiment '{}' is {}", spec.name, value, spec.name, experiment.name(), expected));
  };
  switch (spec.type) {
    case ParameterSpec::Type::word:
    case ParameterSpec::Type::words: {
      const auto parts = spec.type == ParameterSpec::Type::word ? std::vector<std::string>{value} : word_list(value);
      for (const auto& part : parts) {
        if (std::find(spec.choices.begin(), spec.choices.end(), part) == spec.choices.end()) {
          refuse(fmt::format("{} {}", spec.type == ParameterSpec::Type::word ? "one of" : "a comma-separated list of",
                             fmt::join(spec.choices, ", ")));
        }
      }
      return;
    }
    case ParameterSpec::Type::bytes:
      if (value == "auto") return;
      try {
        if (parse_bytes(value) > 0) return;
      } catch (const UsageError&) {
        refuse("a size in bytes (4096, 48K, 512M, 1G) or auto");
      }
      refuse("a size in bytes greater than 0, or auto");
      return;
    case ParameterSpec::Type::number: {
      if (value == "auto") return;
      std::uint32_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc{} || end != value.data() + value.size() || number == 0 || number > spec.most)
        refuse(spec.most == UINT32_MAX ? "a whole number of at least 1, or auto"
                                       : fmt::format("a whole number from 1 to {}, or auto", spec.most));
      return;
    }
  }
}

}  // namespace

std::string_view to_string(Preset preset) {
  return preset == Preset::quick ? "quick" : preset == Preset::standard ? "standard" : "full";
}

std::optional<Preset> parse_preset(std::string_view text) {
  for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) {
    if (to_string(preset) == text) return preset;
  }
  return std::nullopt;
}

const std::vector<const Experiment*>& all_experiments() {
  static const std::vector<const Experiment*> sorted = [] {
    std::vector<const Experiment*> experiments;
    for (const auto& experiment : owned_experiments()) experiments.push_back(experiment.get());
    std::sort(experiments.begin(), experiments.end(), [](const auto* a, const auto* b) { return a->name() < b->name(); });
    return experiments;
  }();
  return sorted;
}

const Experiment* find_experiment(std::string_view name) {
  for (const auto* experiment : all_experiments()) {
    if (experiment->name() == name) return experiment;
  }
  return nullptr;
}

RegisterExperiment::RegisterExperiment(std::unique_ptr<Experiment> experiment) {
  const RegisterPresentation registered(experiment->name(), experiment->presentation());
  owned_experiments().push_back(std::move(experiment));
}

std::vector<Options> make_options(std::span<const Experiment* const> experiments, const std::map<std::string, std::string>& set,
                                  Preset preset, std::uint64_t seed) {
  std::vector<Options> all;
  std::set<std::string> known;
  std::set<std::string> used;
  for (const auto* experiment : experiments) {
    Options options{.preset = preset, .values = {}, .seed = seed};
    for (const auto& spec : experiment->parameters()) {
      std::string value = spec.default_value;
      // The longer, more specific name wins.
      for (const auto& key : {spec.name, experiment->name() + '.' + spec.name}) {
        const auto given = set.find(key);
        if (given == set.end()) continue;
        value = given->second;
        used.insert(key);
      }
      if (value != spec.default_value) check_value(*experiment, spec, value);
      options.values[spec.name] = value;
      known.insert(spec.name);
    }
    all.push_back(std::move(options));
  }
  for (const auto& [key, value] : set) {
    if (!used.contains(key)) {
      throw UsageError(fmt::format("--set {}={}: no chosen experiment has a parameter '{}' (there are: {})", key, value, key,
                                   fmt::join(known, ", ")));
    }
  }
  return all;
}

}  // namespace percycle

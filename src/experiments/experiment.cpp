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

/// The value that the text means. Throws UsageError.
OptionValue parse_value(const Experiment& experiment, const ParameterSpec& spec, const std::string& text) {
  const auto refuse = [&](const std::string& expected) {
    throw UsageError(
        fmt::format("--set {}={}: {} of experiment '{}' is {}", spec.name, text, spec.name, experiment.name(), expected));
  };
  using Type = ParameterSpec::Type;
  OptionValue value{.text = text};
  const bool has_words = spec.type == Type::word || spec.type == Type::words;
  const auto is_choice = [&](const std::string& word) { return std::ranges::find(spec.choices, word) != spec.choices.end(); };
  if (text == ParameterSpec::kAutomatic && !is_choice(text) && (!has_words || text == spec.default_value)) return value;
  if (has_words) {
    value.words = spec.type == Type::word ? std::vector{text} : word_list(text);
    if (!std::ranges::all_of(value.words, is_choice)) {
      refuse(
          fmt::format("{} {}", spec.type == Type::word ? "one of" : "a comma-separated list of", fmt::join(spec.choices, ", ")));
    }
  } else if (spec.type == Type::bytes) {
    try {
      value.number = parse_bytes(text);
    } catch (const UsageError&) {
      refuse("a size in bytes (4096, 48K, 512M, 1G) or auto");
    }
    if (value.number == 0u) refuse("a size in bytes greater than 0, or auto");
  } else {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number == 0 || number > spec.most)
      refuse(spec.most == UINT32_MAX ? "a whole number of at least 1, or auto"
                                     : fmt::format("a whole number from 1 to {}, or auto", spec.most));
    value.number = number;
  }
  return value;
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

WordParameter::WordParameter(std::string name, std::vector<std::string> choices, std::string help)
    : ParameterSpec{std::move(name), Type::word, choices, choices.front(), std::move(help)} {}

WordsParameter::WordsParameter(std::string name, std::vector<std::string> choices, std::string help)
    : ParameterSpec{std::move(name), Type::words, choices, fmt::format("{}", fmt::join(choices, ",")), std::move(help)} {}

WordsParameter::WordsParameter(std::string name, std::vector<std::string> choices, std::string default_value, std::string help)
    : ParameterSpec{std::move(name), Type::words, std::move(choices), std::move(default_value), std::move(help)} {}

BytesParameter::BytesParameter(std::string name, std::string help, std::string default_value)
    : ParameterSpec{std::move(name), Type::bytes, {}, std::move(default_value), std::move(help)} {}

NumberParameter::NumberParameter(std::string name, std::string help, std::uint32_t most)
    : ParameterSpec{std::move(name), Type::number, {}, kAutomatic, std::move(help), most} {}

bool Options::has(const WordsParameter& parameter, std::string_view word) const {
  return std::ranges::find((*this)[parameter], word) != (*this)[parameter].end();
}

std::vector<std::string> Options::words_or(const WordsParameter& parameter, const std::vector<std::string>& automatic) const {
  return (*this)[parameter].empty() ? automatic : (*this)[parameter];
}

UsageError Options::refusal(const ParameterSpec& parameter, const std::string& problem) const {
  return UsageError(fmt::format("--set {}={}: {}", parameter.name, text(parameter), problem));
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
      options.values[spec.name] = parse_value(*experiment, spec, value);
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

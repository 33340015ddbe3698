#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/random_model.hpp"
#include "sim/run_model.hpp"
#include "sim/score.hpp"
#include "sim/wide_model.hpp"

// Confidence is a floor: at least that share of the figures stated with it is right. Tested on
// random models, from classes without special rules. PERCYCLE_SIM_SEEDS sets the number of models,
// PERCYCLE_SIM_FIRST the first seed.

namespace percycle::simtest {
namespace {

std::uint64_t number(const char* variable, std::uint64_t automatic) {
  const char* text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? automatic : std::strtoull(text, nullptr, 10);
}

std::vector<Statement> statements_of(const sim::Model& model, const std::vector<std::string>& experiments, Preset preset) {
  return statements(model, find_hierarchy(run_model(model, experiments, preset, 1)));
}

std::vector<Statement> statements_of_models(const std::vector<std::string>& experiments, Preset preset, std::uint64_t most) {
  const std::uint64_t first = number("PERCYCLE_SIM_FIRST", 9000);
  std::vector<Statement> all;
  for (std::uint64_t seed = first; seed < first + most; ++seed) {
    sim::Model model = wide_model(seed);
    model.noise.seed = seed;
    for (auto& statement : statements_of(model, experiments, preset)) {
      statement.text = fmt::format("{}: {}", model.name, statement.text);
      all.push_back(std::move(statement));
    }
  }
  return all;
}

void print_table(const std::vector<Statement>& all) {
  std::string table = "confidence   right of all\n";
  for (const auto& band : bands_of(all)) {
    table += fmt::format("{:.1f} to {:.1f}  {:5} {:5}  {:.1f} %\n", band.low, band.high, band.share.right, band.share.all,
                         100 * band.share.value());
  }
  for (const auto& [quantity, share] : shares_of(all))
    table += fmt::format("{:10} {:5} {:5}  {:.2f} %\n", quantity, share.right, share.all, 100 * share.value());
  MESSAGE(table);
}

void say_wrong(const std::vector<Statement>& all) {
  for (const auto& statement : all) {
    if (!statement.right && statement.confidence >= kStatedConfidence)
      MESSAGE(fmt::format("wrong with confidence {:.2f}: {}", statement.confidence, statement.text));
  }
}

const std::vector<std::string> kAllExperiments{"latency", "geometry", "tlb", "private-caches", "sharing"};

TEST_CASE("confidence: it is a floor of the share of right figures") {
  const auto all = statements_of_models(kAllExperiments, Preset::standard, number("PERCYCLE_SIM_SEEDS", 8));
  print_table(all);
  say_wrong(all);
  for (const auto& band : bands_of(all)) {
    CAPTURE(band.low);
    CHECK(is_floor(band));
  }
  for (const auto& of_quantity : shares_of(all)) {
    CAPTURE(of_quantity.first);
    CHECK(of_quantity.second.value() >= least_share(of_quantity.first));
  }
}

// A first quick run states little, and nothing wrong without doubt.
TEST_CASE("little data: no wrong figure is stated without doubt") {
  const std::uint64_t most = number("PERCYCLE_SIM_SEEDS", 8);
  for (const auto& [experiments, preset] :
       {std::pair(kAllExperiments, Preset::quick), std::pair(std::vector<std::string>{"latency"}, Preset::standard)}) {
    const auto all = statements_of_models(experiments, preset, most);
    say_wrong(all);
    CHECK(std::none_of(all.begin(), all.end(),
                       [](const Statement& statement) { return !statement.right && statement.confidence >= kStatedConfidence; }));
  }
}

}  // namespace
}  // namespace percycle::simtest

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "sim/score.hpp"

namespace percycle::simtest {

/// How much of a model an analysis states.
struct Coverage {
  /// By quantity: facts that can be seen, and those of them stated rightly with kStatedConfidence.
  std::map<std::string, Share> facts;
  Share missed;  ///< levels that can be seen; `right`: those that no stated level is nearest to
};

/// The largest value of a parameter among the points of an experiment, by path.
inline std::map<std::string, double> longest_of(std::span<const PointResult> results, std::string_view experiment,
                                                const std::string& parameter) {
  std::map<std::string, double> longest;
  for (const auto& result : results) {
    const auto& parameters = result.point.parameters;
    if (result.point.experiment != experiment || result.outcome.status != Status::ok || !parameters.contains("path")) continue;
    double& most = longest[word(parameters, "path")];
    if (parameters.contains(parameter)) most = std::max(most, static_cast<double>(integer(parameters, parameter)));
  }
  return longest;
}

/// Facts by quantity that these points can show.
inline std::map<std::string, std::size_t> visible_facts(const sim::Model& model, std::span<const PointResult> results) {
  std::map<std::string, std::size_t> facts;
  const auto geometry = longest_of(results, "geometry", "nodes");
  for (const auto& [name, walked] : longest_of(results, "latency", "footprint")) {
    const auto which = scored_path(model, name);
    if (!which || model.path(*which) == nullptr) continue;
    const auto levels = true_levels(model, *which, walked);
    facts["latency"] += levels.size();
    facts["size"] += levels.size();
    if (levels.size() == true_levels(model, *which, INFINITY).size()) ++facts["memory"];
    if (!geometry.contains(name)) continue;
    for (const auto& level : levels) {
      if (level.part) continue;
      ++facts["sector"];
      ++facts["ways"];
      if (!level.shadowed) ++facts["line"];
    }
  }
  for (const auto& [name, span] : longest_of(results, "tlb", "span")) {
    for (const auto& tlb : model.tlbs) {
      if (static_cast<double>(tlb.reach_bytes) * 2 <= span) ++facts["reach"];
    }
  }
  return facts;
}

/// Levels that the points can show, and those that no stated level is nearest to.
inline Share missed_levels(const sim::Model& model, const Hierarchy& hierarchy, std::span<const PointResult> results) {
  Share missed;
  for (const auto& [name, walked] : longest_of(results, "latency", "footprint")) {
    const auto which = scored_path(model, name);
    if (!which) continue;
    const auto truth = true_levels(model, *which, walked);
    std::set<const TrueLevel*> met;
    for (const auto& level : hierarchy.levels) {
      if (level.path == name && !truth.empty()) met.insert(&nearest(truth, level.size_bytes));
    }
    missed.all += truth.size();
    missed.right += truth.size() - met.size();
  }
  return missed;
}

inline Coverage coverage_of(const sim::Model& model, const Hierarchy& hierarchy, const std::vector<Statement>& all,
                            std::span<const PointResult> results) {
  Coverage coverage;
  coverage.missed = missed_levels(model, hierarchy, results);
  for (const auto& [quantity, count] : visible_facts(model, results)) {
    std::set<std::string> stated;
    std::size_t unnamed = 0;
    for (const auto& statement : all) {
      if (statement.quantity != quantity || !statement.right || statement.confidence < kStatedConfidence) continue;
      if (statement.fact.empty()) {
        ++unnamed;
      } else {
        stated.insert(statement.fact);
      }
    }
    coverage.facts[quantity] = {std::min(count, stated.size() + unnamed), count};
  }
  return coverage;
}

}  // namespace percycle::simtest

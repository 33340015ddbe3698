#include "cli/named_experiments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "limits/close_names.hpp"

namespace percycle {

std::vector<const Experiment*> named_experiments(const std::vector<std::string>& names) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : names) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr) {
      if (name.find(',') != std::string::npos)
        throw UsageError(fmt::format("there is no experiment '{}': separate experiments by blanks", name));
      std::vector<std::string> known;
      for (const Experiment* each : all_experiments()) known.push_back(each->name());
      const auto close = close_names(name, known);
      throw UsageError(fmt::format("there is no experiment '{}'; {}: {}", name, close.empty() ? "there are" : "did you mean",
                                   fmt::join(close.empty() ? known : close, ", ")));
    }
    if (std::ranges::find(chosen, experiment) == chosen.end()) chosen.push_back(experiment);
  }
  return chosen;
}

}  // namespace percycle

#include "presentation/presentation.hpp"

#include <functional>
#include <map>
#include <utility>

#include "presentation/presented.hpp"

namespace percycle {
namespace {

using Registry = std::map<std::string, Presentation, std::less<>>;

Registry& registry() {
  static Registry presentations;
  return presentations;
}

}  // namespace

std::vector<std::string> presented_experiments() {
  std::vector<std::string> names;
  for (const auto& [name, presentation] : registry()) names.push_back(name);
  return names;
}

const Presentation& presentation_of(std::string_view experiment) {
  static const Presentation unknown{
      .title = {},
      .question = {},
      .method =
          "This version of percycle does not know this experiment. Its records say which device, driver and parameters it had."};
  const auto found = registry().find(experiment);
  return found == registry().end() ? unknown : found->second;
}

std::string_view title_of(std::string_view experiment) {
  const std::string& title = presentation_of(experiment).title;
  return title.empty() ? experiment : title;
}

RegisterPresentation::RegisterPresentation(std::string experiment, Presentation presentation) {
  registry().insert_or_assign(std::move(experiment), std::move(presentation));
}

}  // namespace percycle

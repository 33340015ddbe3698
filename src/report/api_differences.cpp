#include "report/api_differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "presentation/configuration.hpp"
#include "store/header_names.hpp"

namespace percycle {
namespace {

constexpr std::array<const char*, 2> kExecutionModes{"subgroup_size", "wgp_mode"};

/// A question asked of one piece of silicon, in any mode.
struct Question {
  std::string identity;
  std::string experiment;
  Parameters parameters;

  bool operator<(const Question& other) const {
    return std::tie(identity, experiment, parameters) < std::tie(other.identity, other.experiment, other.parameters);
  }
};

/// The record's value of a mode: an observation goes before the request.
std::optional<std::string> mode_of(const PointResult& result, const char* mode) {
  const auto& observed = result.measurement->observed;
  if (const auto found = observed.find(mode); found != observed.end()) return found->second;
  const auto& chosen = result.point.parameters;
  if (const auto found = chosen.find(mode); found != chosen.end()) return to_string(found->second);
  return std::nullopt;
}

/// The modes that ran through one API; several shapes may have several.
struct SeenModes {
  std::string device;
  std::set<std::string> values;
};

using SeenByApi = std::map<Api, SeenModes>;

std::map<Question, SeenByApi> collect(const std::vector<Run>& runs, const std::map<std::string, std::string>& names,
                                      const char* mode) {
  std::map<Question, SeenByApi> questions;
  for (const Run& run : runs) {
    for (const PointHistory& point : run.points) {
      const PointResult* result = point.result;
      if (!result || result->outcome.status != Status::ok || !result->measurement || is_search(result->point)) continue;
      const auto value = mode_of(*result, mode);
      if (!value) continue;
      Question question{run.header->identity, result->point.experiment, question_of(result->point)};
      for (const char* name : kExecutionModes) question.parameters.erase(name);
      SeenModes& seen = questions[std::move(question)][run.header->device.api];
      seen.device = names.at(run.header->id);
      seen.values.insert(*value);
    }
  }
  return questions;
}

}  // namespace

std::string api_differences(const std::vector<Run>& runs) {
  std::vector<const Header*> headers;
  for (const Run& run : runs) headers.push_back(run.header);
  const auto names = header_names(headers);
  std::string text;
  for (const char* mode : kExecutionModes) {
    // By device, experiment and difference.
    std::map<std::tuple<std::string, std::string, std::string>, int> questions;
    for (const auto& [question, seen] : collect(runs, names, mode)) {
      const auto opencl = seen.find(Api::opencl);
      const auto vulkan = seen.find(Api::vulkan);
      if (opencl == seen.end() || vulkan == seen.end() || opencl->second.values == vulkan->second.values) continue;
      const auto difference = fmt::format("{} through OpenCL, {} through Vulkan", fmt::join(opencl->second.values, " or "),
                                          fmt::join(vulkan->second.values, " or "));
      ++questions[{opencl->second.device, question.experiment, difference}];
    }
    for (const auto& [which, count] : questions) {
      const auto& [device, experiment, difference] = which;
      text += fmt::format("the APIs differ on {}: {} of {} is {} ({} {})\n", device, mode, experiment, difference, count,
                          count == 1 ? "question" : "questions");
    }
  }
  return text;
}

}  // namespace percycle

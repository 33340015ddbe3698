#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "platform/environment.hpp"
#include "session/implicit_layers.hpp"
#include "session/layer_faults.hpp"

namespace percycle::implicit_layers_test {
namespace {

std::vector<std::string> names(const std::vector<ImplicitLayer>& layers) {
  std::vector<std::string> all;
  for (const ImplicitLayer& layer : layers) all.push_back(layer.name);
  return all;
}

/// Vulkan shows a device unless one of the sets of layers is on.
LayerTrial hidden_by(std::vector<std::vector<std::string>> sets) {
  return [sets = std::move(sets)](const Environment& changes) -> std::optional<std::string> {
    const auto is_on = [&](const std::string& name) {
      return std::ranges::none_of(changes, [&](const auto& change) { return change.first == "NO_" + name; });
    };
    const auto is_whole = [&](const auto& set) { return std::ranges::all_of(set, is_on); };
    return std::ranges::any_of(sets, is_whole) ? std::optional<std::string>("hidden") : std::nullopt;
  };
}

const std::vector<ImplicitLayer> kLayers{{"a", "/a.json", {{"NO_a", "1"}}}, {"b", "/b.json", {{"NO_b", "1"}}}};

}  // namespace

TEST_CASE("implicit layers: those of a manifest that are on") {
  const auto found = [](const char* text) { return names(layers_of("/m.json", text)); };
  CHECK(found(R"({"layer": {"name": "A", "disable_environment": {"NO_SUCH_A": "1"}}})") == std::vector<std::string>{"A"});
  CHECK(found(R"({"layers": [{"name": "A"}, {"name": "B"}]})") == std::vector<std::string>{"A", "B"});
  CHECK(found(R"({"layer": {"name": "A", "enable_environment": {"NO_SUCH_A": "1"}}})").empty());
  set_environment_variable("PERCYCLE_TEST_LAYER", "1");
  CHECK(found(R"({"layer": {"name": "A", "enable_environment": {"PERCYCLE_TEST_LAYER": "1"}}})").size() == 1);
  CHECK(found(R"({"layer": {"name": "A", "disable_environment": {"PERCYCLE_TEST_LAYER": "1"}}})").empty());
  for (const char* text : {"", "[]", "{}", "{broken", R"({"layer": {}})", R"({"layer": {"name": 1}})", R"({"layers": 1})"}) {
    CAPTURE(text);
    CHECK(found(text).empty());
  }
}

TEST_CASE("implicit layers: the environment without some") {
  CHECK(without({}).empty());
  CHECK(without(kLayers) == Environment{{"NO_a", "1"}, {"NO_b", "1"}, {"VK_LOADER_LAYERS_DISABLE", "a,b"}});
}

TEST_CASE("implicit layers: those to blame") {
  const LayerFaults one = faulty_layers(kLayers, hidden_by({{"b"}}));
  CHECK(names(one.layers) == std::vector<std::string>{"b"});
  REQUIRE(one.problems.size() == 1);
  CHECK(one.problems.front().where == "/b.json");
  CHECK(one.problems.front().message ==
        "the implicit layer b hides every device (hidden), so percycle runs without it; remove this file or set NO_b=1");
  CHECK(names(faulty_layers(kLayers, hidden_by({{"a"}, {"b"}})).layers).size() == 2);
  const LayerFaults together = faulty_layers(kLayers, hidden_by({{"a", "b"}}));
  CHECK(names(together.layers).size() == 2);
  CHECK(together.problems.front().message.find("(together with others: hidden)") != std::string::npos);
  CHECK(faulty_layers(kLayers, hidden_by({})).layers.empty());
}

}  // namespace percycle::implicit_layers_test

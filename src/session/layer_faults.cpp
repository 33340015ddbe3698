#include "session/layer_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <future>

namespace percycle {
namespace {

std::string advice(const ImplicitLayer& layer) {
  if (layer.off.empty()) return "remove this file";
  const auto& [name, value] = layer.off.front();
  return fmt::format("remove this file or set {}={}", name, value);
}

EnumerationProblem problem(const ImplicitLayer& layer, const std::string& reason) {
  return {Api::vulkan, layer.manifest,
          fmt::format("the implicit layer {} hides every device ({}), so percycle runs without it; {}", layer.name, reason,
                      advice(layer))};
}

/// All but the layer at `index`.
std::vector<ImplicitLayer> others(std::vector<ImplicitLayer> layers, std::size_t index) {
  layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(index));
  return layers;
}

}  // namespace

LayerFaults faulty_layers(const std::vector<ImplicitLayer>& layers, const LayerTrial& trial) {
  std::vector<std::future<std::optional<std::string>>> alone;
  for (std::size_t i = 0; i < layers.size(); ++i)
    alone.push_back(std::async(std::launch::async, [&, i] { return trial(without(others(layers, i))); }));
  LayerFaults faults;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto reason = alone[i].get();
    if (!reason) continue;
    faults.layers.push_back(layers[i]);
    faults.problems.push_back(problem(layers[i], *reason));
  }
  if (!faults.layers.empty()) return faults;
  const auto together = trial({});
  if (!together) return faults;
  faults.layers = layers;
  for (const ImplicitLayer& layer : layers) faults.problems.push_back(problem(layer, "together with others: " + *together));
  return faults;
}

}  // namespace percycle

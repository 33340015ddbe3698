#include "session/available.hpp"

#include <algorithm>
#include <string_view>

#include "device/selector.hpp"
#include "sim/model.hpp"

namespace percycle {
namespace {

constexpr std::string_view kSimulated = "sim:";

bool is_simulated(const std::string& selector) { return selector.starts_with(kSimulated); }

}  // namespace

Enumeration available(const std::vector<std::string>& selectors, const std::function<Enumeration()>& enumerate) {
  std::vector<DeviceInfo> simulated;
  for (const std::string& text : selectors) {
    const auto named = [&](const DeviceInfo& info) { return selector(info) == text; };
    if (!is_simulated(text) || std::any_of(simulated.begin(), simulated.end(), named)) continue;
    const std::string name = text.substr(kSimulated.size());
    simulated.push_back(sim::describe(sim::load_model(name), name));
  }
  Enumeration all;
  if (selectors.empty() || !std::all_of(selectors.begin(), selectors.end(), is_simulated)) all = enumerate();
  all.devices.insert(all.devices.end(), simulated.begin(), simulated.end());
  return all;
}

}  // namespace percycle

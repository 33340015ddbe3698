#include "sim/emulation.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace percycle::sim {
namespace {

Emulations& registered_emulations() {
  static Emulations emulations;
  return emulations;
}

}  // namespace

const std::string& Execution::definition(const std::string& macro) const {
  const auto found = kernel.definitions.find(macro);
  if (found == kernel.definitions.end())
    throw std::invalid_argument(fmt::format("kernel {}: {} is not defined", kernel.name, macro));
  return found->second;
}

const std::vector<std::uint32_t>& Execution::array(const std::string& parameter) const {
  const auto found = parameters.find(parameter);
  if (found == parameters.end())
    throw std::invalid_argument(fmt::format("kernel {}: there is no parameter '{}'", kernel.name, parameter));
  return found->second.words;
}

const Emulations& known_emulations() { return registered_emulations(); }

RegisterEmulation::RegisterEmulation(const std::string& kernel, Emulation emulation) {
  if (!registered_emulations().try_emplace(kernel, std::move(emulation)).second)
    throw std::logic_error(fmt::format("kernel {}: two emulations", kernel));
}

}  // namespace percycle::sim

#include "device/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace percycle {

std::vector<BindingKind> binding_kinds(const std::vector<KernelBinding>& bindings) {
  std::vector<BindingKind> kinds;
  for (const KernelBinding& binding : bindings) kinds.push_back(binding.kind);
  return kinds;
}

std::uint32_t count_words(const std::vector<KernelParameter>& parameters) {
  std::uint32_t words = 0;
  for (const KernelParameter& parameter : parameters) words += parameter.words;
  return words;
}

std::string parameter_members(const std::vector<KernelParameter>& parameters) {
  std::string members;
  for (const auto& [name, meaning, words] : parameters) {
    members += words == 1 ? fmt::format("  uint {};", name) : fmt::format("  uint {}[{}];", name, words);
    members += meaning.empty() ? "\n" : fmt::format("  // {}\n", meaning);
  }
  return members;
}

std::vector<std::uint32_t> parameter_block(const std::string& kernel, const std::vector<KernelParameter>& parameters,
                                           const KernelValues& values) {
  std::vector<std::uint32_t> block;
  for (const KernelParameter& parameter : parameters) {
    const auto value = values.find(parameter.name);
    if (value == values.end())
      throw std::invalid_argument(fmt::format("kernel {}: parameter '{}' has no value", kernel, parameter.name));
    const auto& words = value->second.words;
    if (words.size() != parameter.words) {
      throw std::invalid_argument(
          fmt::format("kernel {}: parameter '{}' has {} words, not {}", kernel, parameter.name, parameter.words, words.size()));
    }
    block.insert(block.end(), words.begin(), words.end());
  }
  for (const auto& [name, value] : values) {
    const bool declared = std::ranges::find(parameters, name, &KernelParameter::name) != parameters.end();
    if (!declared) throw std::invalid_argument(fmt::format("kernel {}: there is no parameter '{}'", kernel, name));
  }
  return block;
}

}  // namespace percycle

#include "sim/emulation.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {

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

const Meanings& known_meanings() {
  static const Meanings meanings{
      {"access_pattern", access_pattern},
      {"alu_chain", alu_chain},
      {"atomic_handover", atomic_handover},
      {"atomic_latency", atomic_latency},
      {"atomic_throughput", atomic_throughput},
      {"cache_bandwidth", cache_bandwidth},
      {"chain", chain},
      {"chunk_sums", chunk_sums},
      {"constant_words", constant_words},
      {"dram_bandwidth", dram_bandwidth},
      {"fill", fill},
      {"geometry", geometry},
      {"instruction_cache", instruction_cache},
      {"instruction_chain", instruction_chain},
      {"instruction_sharing", instruction_sharing},
      {"instruction_stream", instruction_stream},
      {"intensity", intensity},
      {"l2_map", l2_map},
      {"latency", latency},
      {"launch", launch},
      {"private_caches", private_caches},
      {"residency", residency},
      {"result_sums", result_sums},
      {"sharing", sharing},
      {"texture_bandwidth", texture_bandwidth},
      {"unit_bandwidth", unit_bandwidth},
  };
  return meanings;
}

}  // namespace percycle::sim

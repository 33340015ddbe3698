#include "sim/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "platform/file.hpp"
#include "sim/model_text.hpp"

namespace percycle::sim {
namespace {

constexpr std::string_view kExtension = ".toml";

}  // namespace

const Path* Model::path(MemoryPath which) const {
  const auto found = std::find_if(paths.begin(), paths.end(), [&](const Path& path) { return path.path == which; });
  return found == paths.end() ? nullptr : &*found;
}

bool needs_simulation(const Model& model) {
  const auto special_cache = [&](const Cache& cache) {
    return (cache.physical && model.pages) || cache.inclusion != Inclusion::independent || cache.prefetch != Prefetch::none ||
           cache.slices > 1 || cache.foreign_share > 0;
  };
  const auto two_latencies = [](const Path& path) {
    return std::any_of(path.hops.begin(), path.hops.end(), [](const Hop& hop) { return hop.far_lines_cycles.has_value(); });
  };
  return model.dram || std::any_of(model.caches.begin(), model.caches.end(), special_cache) ||
         std::any_of(model.paths.begin(), model.paths.end(), two_latencies) ||
         std::any_of(model.tlbs.begin(), model.tlbs.end(), [](const TlbModel& tlb) { return tlb.ways > 0; });
}

Model beside_local_memory(const Model& model, std::uint64_t local_bytes) {
  Model split = model;
  for (Cache& cache : split.caches) {
    const auto found = std::find_if(cache.splits.begin(), cache.splits.end(),
                                    [&](const CacheSplit& one) { return local_bytes <= one.local_bytes; });
    if (local_bytes > 0 && found != cache.splits.end()) cache.size_bytes = found->size_bytes;
  }
  return split;
}

double cycles_of(const ContendedCycles& figures, std::uint32_t contenders) {
  if (figures.size() < 2) return figures.front();
  std::size_t step = 0;  // 2^step and twice as many contenders are the nearest figures
  while (step + 2 < figures.size() && contenders > 2u << step) ++step;
  const double of_each = (figures[step + 1] - figures[step]) / static_cast<double>(1u << step);
  return figures[step] + of_each * (static_cast<double>(contenders) - static_cast<double>(1u << step));
}

double HandoverCosts::global_cycles(std::uint32_t first, std::uint32_t second, std::uint32_t units) const {
  if (first == second) return unit_cycles;
  const std::uint32_t each = units / clusters;
  return first / each == second / each ? cluster_cycles : far_cycles;
}

Model load_model(const std::string& name) {
  if (name.ends_with(kExtension)) return parse_model(read_small_file(name), name);
  const std::string_view text = shipped_model_text(name);
  if (text.empty()) {
    throw UsageError(fmt::format("sim:{}: unknown model; use a file that ends in .toml or one of {}", name,
                                 fmt::join(shipped_models(), ", ")));
  }
  return parse_model(text, fmt::format("{}{}", name, kExtension));
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;  // sorted, as file(GLOB) in kernels.cmake found them
  for (const std::string_view file : sim_model_text_names()) names.emplace_back(file.substr(0, file.size() - kExtension.size()));
  return names;
}

std::string_view shipped_model_text(const std::string& name) { return sim_model_text(fmt::format("{}{}", name, kExtension)); }

}  // namespace percycle::sim

#include "device/selector.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "device/identity.hpp"

namespace percycle {
namespace {

using Predicate = std::function<bool(const DeviceInfo&)>;

std::vector<DeviceInfo> filter(const std::vector<DeviceInfo>& devices, const Predicate& keep) {
  std::vector<DeviceInfo> kept;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(kept), keep);
  return kept;
}

bool runs(const DeviceInfo& info) { return info.compile_only.empty(); }

bool same(const DeviceInfo& a, const DeviceInfo& b) { return selector(a) == selector(b); }

bool is_simulated(const DeviceInfo& info) { return info.api == Api::sim; }

bool is_real(const DeviceInfo& info) { return !is_simulated(info); }

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto equal = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), equal) != text.end();
}

/// "opencl:0 NVIDIA H200, vulkan:0 NVIDIA H200"
std::string list(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> items;
  for (const DeviceInfo& info : devices) items.push_back(fmt::format("{} {}", selector(info), info.name));
  return fmt::format("{}", fmt::join(items, ", "));
}

/// "vulkan:1 AMD (RADV NULL): no hardware behind it"
std::string reasons(const std::vector<DeviceInfo>& compile_only) {
  std::vector<std::string> items;
  for (const DeviceInfo& info : compile_only)
    items.push_back(fmt::format("{} {}: {}", selector(info), info.name, info.compile_only));
  return fmt::format("{}", fmt::join(items, "; "));
}

/// A UUID or a PCI address names silicon, so it also selects the card's devices that do not report
/// it themselves.
Predicate on_card(const Enumeration& enumeration, const Predicate& tells) {
  std::vector<DeviceInfo> wanted;
  // The host name only labels the CPU's card. Software devices are skipped: their drivers invent
  // their UUIDs.
  for (const Card& card : group_by_card(enumeration.devices, "")) {
    for (const DeviceInfo& info : card.devices) {
      const bool any = info.type != DeviceType::cpu && std::any_of(card.devices.begin(), card.devices.end(), tells);
      if (any || tells(info)) wanted.push_back(info);
    }
  }
  return [wanted](const DeviceInfo& info) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const DeviceInfo& other) { return same(other, info); });
  };
}

/// The index of "opencl:0". Throws UsageError if it is no number.
std::uint32_t parse_index(const std::string& text, std::string_view digits) {
  const bool number =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); });
  if (!number || digits.size() > 9) throw UsageError(fmt::format("device '{}': a number is expected after the colon", text));
  return static_cast<std::uint32_t>(std::stoul(std::string(digits)));
}

Predicate parse(const std::string& text, const Enumeration& enumeration) {
  if (text.empty()) throw UsageError("device '': a selector must not be empty");
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    if (const auto api = parse_api(std::string_view(text).substr(0, colon))) {
      if (*api == Api::sim) return [text](const DeviceInfo& info) { return selector(info) == text; };
      const std::uint32_t index = parse_index(text, std::string_view(text).substr(colon + 1));
      return [api, index](const DeviceInfo& info) { return info.api == *api && info.index == index; };
    }
  }
  if (const auto uuid = canonical_uuid(text)) {
    return on_card(enumeration, [uuid](const DeviceInfo& info) { return info.uuid && canonical_uuid(*info.uuid) == uuid; });
  }
  if (const auto pci = canonical_pci(text)) {
    return on_card(enumeration, [pci](const DeviceInfo& info) { return info.pci && canonical_pci(*info.pci) == pci; });
  }
  // "0" is an index without its API. Longer numbers are a part of a name, such as 4090.
  if (text.size() < 3 && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); }))
    throw UsageError(fmt::format("device '{0}': a number needs its API: opencl:{0} or vulkan:{0}", text));
  // The name of a real device never selects a simulated one.
  return [text](const DeviceInfo& info) { return is_real(info) && contains_ignoring_case(info.name, text); };
}

/// "; opencl pocl.icd: crashed (killed by SIGSEGV)" for each problem of these APIs.
std::string problems_text(const Enumeration& enumeration, std::optional<Api> api) {
  std::string text;
  for (const EnumerationProblem& problem : enumeration.problems) {
    if (!api || problem.api == *api) text += fmt::format("; {} {}: {}", to_string(problem.api), problem.where, problem.message);
  }
  return text;
}

/// The message for a machine that has no device through the chosen APIs.
std::string nothing_found(const Enumeration& enumeration, std::optional<Api> api) {
  std::string text = fmt::format("no {} device was found", api ? to_string(*api) : "opencl or vulkan");
  const std::vector<DeviceInfo> left_out = filter(enumeration.devices, is_real);
  if (!left_out.empty()) text += fmt::format(" (--api {} excludes {})", to_string(*api), list(left_out));
  text += fmt::format("; {}", driver_advice());
  return text + problems_text(enumeration, api);
}

/// The devices in `candidates` that `text` selects and that allow this use.
std::vector<DeviceInfo> named(const std::string& text, const Enumeration& enumeration, const std::vector<DeviceInfo>& candidates,
                              std::optional<Api> api, DeviceUse use) {
  const Predicate matches = parse(text, enumeration);
  const std::vector<DeviceInfo> found = filter(candidates, matches);
  if (found.empty()) {
    const std::vector<DeviceInfo> left_out = filter(enumeration.devices, matches);
    if (!left_out.empty()) {
      throw UsageError(fmt::format("device '{}': --api {} excludes all its matches ({})", text, to_string(*api), list(left_out)));
    }
    const std::vector<DeviceInfo> there = filter(candidates, is_real);
    if (there.empty()) throw UsageError(nothing_found(enumeration, api));
    const std::optional<Api> wanted = parse_api(std::string_view(text).substr(0, text.find(':')));
    throw UsageError(fmt::format("there is no device '{}'; there are {}{}", text, list(there),
                                 problems_text(enumeration, wanted ? wanted : api)));
  }
  if (use == DeviceUse::compile) return found;
  std::vector<DeviceInfo> runnable = filter(found, runs);
  if (runnable.empty()) throw UsageError(fmt::format("device '{}' cannot run kernels ({})", text, reasons(found)));
  return runnable;
}

/// Every GPU; without any GPU everything else; nothing simulated.
std::vector<DeviceInfo> default_choice(const Enumeration& enumeration, const std::vector<DeviceInfo>& candidates,
                                       std::optional<Api> api, DeviceUse use) {
  const std::vector<DeviceInfo> there = filter(candidates, is_real);
  if (there.empty()) throw UsageError(nothing_found(enumeration, api));
  const std::vector<DeviceInfo> runnable = use == DeviceUse::compile ? there : filter(there, runs);
  if (runnable.empty()) throw UsageError(fmt::format("no device can run kernels ({})", reasons(there)));
  std::vector<DeviceInfo> gpus = filter(runnable, [](const DeviceInfo& info) { return info.type == DeviceType::gpu; });
  return gpus.empty() ? runnable : gpus;
}

}  // namespace

std::string selector(const DeviceInfo& info) {
  return info.api == Api::sim ? fmt::format("sim:{}", info.model) : fmt::format("{}:{}", to_string(info.api), info.index);
}

std::string_view driver_advice() {
  return "install the GPU vendor's driver with its Vulkan or OpenCL runtime (to try without a GPU: pocl for OpenCL, Mesa's "
         "lavapipe for Vulkan)";
}

std::vector<DeviceInfo> select(const Enumeration& enumeration, const std::vector<std::string>& selectors, std::optional<Api> api,
                               DeviceUse use) {
  const std::vector<DeviceInfo> candidates =
      filter(enumeration.devices, [api](const DeviceInfo& info) { return !api || info.api == *api; });
  if (selectors.empty()) return default_choice(enumeration, candidates, api, use);

  std::vector<DeviceInfo> wanted;
  for (const std::string& text : selectors) {
    const std::vector<DeviceInfo> more = named(text, enumeration, candidates, api, use);
    wanted.insert(wanted.end(), more.begin(), more.end());
  }
  return filter(candidates, [&](const DeviceInfo& info) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const DeviceInfo& other) { return same(info, other); });
  });
}

}  // namespace percycle

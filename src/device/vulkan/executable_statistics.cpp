#include "device/vulkan/executable_statistics.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "device/driver_answers.hpp"
#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

std::optional<std::uint64_t> whole_number(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
      return statistic.value.u64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
      if (statistic.value.i64 >= 0) return static_cast<std::uint64_t>(statistic.value.i64);
      return std::nullopt;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32 != VK_FALSE ? 1u : 0u;
    default:
      return std::nullopt;
  }
}

std::vector<VkPipelineExecutablePropertiesKHR> executables_of(const LogicalDevice& device, VkPipeline pipeline) {
  VkPipelineInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  info.pipeline = pipeline;
  VkPipelineExecutablePropertiesKHR blank{};
  blank.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  return listed("vkGetPipelineExecutablePropertiesKHR", blank, [&](std::uint32_t* count, auto* executables) {
    return device.api().vkGetPipelineExecutablePropertiesKHR(device.handle(), &info, count, executables);
  });
}

VkPipelineExecutableInfoKHR info_of(VkPipeline pipeline, std::uint32_t executable) {
  VkPipelineExecutableInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
  info.pipeline = pipeline;
  info.executableIndex = executable;
  return info;
}

std::vector<VkPipelineExecutableStatisticKHR> statistics_of(const LogicalDevice& device, VkPipeline pipeline,
                                                            std::uint32_t executable) {
  const VkPipelineExecutableInfoKHR info = info_of(pipeline, executable);
  VkPipelineExecutableStatisticKHR blank{};
  blank.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  return listed("vkGetPipelineExecutableStatisticsKHR", blank, [&](std::uint32_t* count, auto* statistics) {
    return device.api().vkGetPipelineExecutableStatisticsKHR(device.handle(), &info, count, statistics);
  });
}

/// "name", or "executable: name" if there are several executables.
std::string qualified(const std::vector<VkPipelineExecutablePropertiesKHR>& executables, std::uint32_t index,
                      const std::string& name) {
  return executables.size() > 1 ? field_text(executables[index].name) + ": " + name : name;
}

std::vector<CodeText> texts_of(const LogicalDevice& device, VkPipeline pipeline, std::uint32_t executable) {
  const VkPipelineExecutableInfoKHR info = info_of(pipeline, executable);
  const auto get = [&](std::uint32_t& count, VkPipelineExecutableInternalRepresentationKHR* representations) {
    check(device.api().vkGetPipelineExecutableInternalRepresentationsKHR(device.handle(), &info, &count, representations),
          "vkGetPipelineExecutableInternalRepresentationsKHR");
  };
  std::uint32_t count = 0;
  get(count, nullptr);
  check_count(Api::vulkan, "vkGetPipelineExecutableInternalRepresentationsKHR", count);
  VkPipelineExecutableInternalRepresentationKHR blank{};
  blank.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  std::vector<VkPipelineExecutableInternalRepresentationKHR> representations(count, blank);
  get(count, representations.data());  // sets their sizes
  std::vector<std::string> bytes;
  for (const auto& each : representations) {
    check_size(Api::vulkan, "vkGetPipelineExecutableInternalRepresentationsKHR", each.dataSize);
    bytes.emplace_back(each.dataSize, '\0');
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) representations[i].pData = bytes[i].data();
  get(count, representations.data());
  std::vector<CodeText> texts;
  for (std::size_t i = 0; i < representations.size(); ++i) {
    if (representations[i].isText == VK_FALSE) continue;
    const std::size_t end = bytes[i].find('\0');  // text ends with a null character
    texts.push_back({field_text(representations[i].name), bytes[i].substr(0, end)});
  }
  return texts;
}

}  // namespace

CodeInfo executable_statistics(const LogicalDevice& device, VkPipeline pipeline) {
  const std::vector<VkPipelineExecutablePropertiesKHR> executables = executables_of(device, pipeline);
  CodeInfo code;
  for (std::uint32_t i = 0; i < executables.size(); ++i) {
    for (const VkPipelineExecutableStatisticKHR& statistic : statistics_of(device, pipeline, i)) {
      if (const auto value = whole_number(statistic))
        code.statistics[qualified(executables, i, field_text(statistic.name))] = *value;
    }
  }
  const auto size = [](const VkPipelineExecutablePropertiesKHR& executable) { return executable.subgroupSize; };
  if (!executables.empty() && size(executables.front()) != 0 &&
      std::ranges::all_of(executables, [&](const auto& executable) { return size(executable) == size(executables.front()); })) {
    code.subgroup_size = size(executables.front());
  }
  return code;
}

std::vector<CodeText> executable_texts(const LogicalDevice& device, VkPipeline pipeline) {
  const std::vector<VkPipelineExecutablePropertiesKHR> executables = executables_of(device, pipeline);
  std::vector<CodeText> all;
  for (std::uint32_t i = 0; i < executables.size(); ++i) {
    for (auto& each : texts_of(device, pipeline, i)) all.push_back({qualified(executables, i, each.name), std::move(each.text)});
  }
  return all;
}

}  // namespace percycle::vulkan

#include "report/api_differences.hpp"

#include <doctest/doctest.h>

#include "check_words.hpp"
#include "unit/store_examples.hpp"

namespace percycle::api_differences_test {
namespace {

using Modes = std::map<std::string, std::string>;

Header header_of(Api api, const char* id) {
  Header header = examples::header(id);
  header.device.api = api;
  return header;
}

PointRecord point(const char* header, Parameters parameters, Modes observed) {
  PointRecord record;
  record.header = header;
  record.result.point = {"l1-bandwidth", std::move(parameters)};
  record.result.measurement.emplace().observed = std::move(observed);
  return record;
}

constexpr const char* kOpencl = "0000000000000001";
constexpr const char* kVulkan = "0000000000000002";

/// The card through OpenCL (subgroups of 32) and through Vulkan, in one file.
LoadedFile both(const Modes& through_vulkan) {
  LoadedFile file;
  file.headers = {header_of(Api::opencl, kOpencl), header_of(Api::vulkan, kVulkan)};
  for (const std::int64_t width : {4, 8}) {
    // The best shapes of two APIs may differ.
    file.entries.push_back(point(kOpencl, {{"width", width}, {"group_size", std::int64_t{256}}}, {{"subgroup_size", "32"}}));
    file.entries.push_back(point(kVulkan, {{"width", width}, {"group_size", std::int64_t{1024}}}, through_vulkan));
  }
  return file;
}

TEST_CASE("differences of the APIs: a subgroup size that differs is named once, with how many questions it touches") {
  CHECK_WORDS("api-differences.subgroup-size", api_differences(runs(both({{"subgroup_size", "16"}}))));
  CHECK_WORDS("api-differences.unknown-subgroup-size", api_differences(runs(both({{"subgroup_size", "unknown"}}))));
  CHECK(api_differences(runs(both({{"subgroup_size", "32"}}))).empty());
  CHECK(api_differences(runs(both({}))).empty());  // not recorded: nothing to compare
}

TEST_CASE("differences of the APIs: the records may lie in two files") {
  LoadedFile opencl = both({{"subgroup_size", "16"}});
  LoadedFile vulkan = opencl;
  opencl.headers.pop_back();
  std::erase_if(opencl.entries, [](const Entry& entry) { return std::get<PointRecord>(entry).header == kVulkan; });
  vulkan.headers.erase(vulkan.headers.begin());
  std::erase_if(vulkan.entries, [](const Entry& entry) { return std::get<PointRecord>(entry).header == kOpencl; });
  std::vector<Run> all = runs(opencl);
  CHECK(api_differences(all).empty());
  const auto others = runs(vulkan);
  all.insert(all.end(), others.begin(), others.end());
  CHECK_FALSE(api_differences(all).empty());
}

TEST_CASE("differences of the APIs: a chosen size is the same question, wgp_mode has a separate line") {
  LoadedFile file;
  file.headers = {header_of(Api::opencl, kOpencl), header_of(Api::vulkan, kVulkan)};
  file.entries = {
      point(kOpencl, {{"width", std::int64_t{4}}, {"subgroup_size", std::int64_t{64}}}, {{"wgp_mode", "cu"}}),
      point(kVulkan, {{"width", std::int64_t{4}}}, {{"subgroup_size", "32"}, {"wgp_mode", "unknown"}}),
  };
  CHECK_WORDS("api-differences.two-observations", api_differences(runs(file)));
}

TEST_CASE("differences of the APIs: none for two cards, simulated devices, searches and failed points") {
  const Modes narrow{{"subgroup_size", "16"}};
  LoadedFile other_card = both(narrow);
  other_card.headers[1].identity = "uuid:ffffffffffffffffffffffffffffffff";
  CHECK(api_differences(runs(other_card)).empty());
  LoadedFile simulated = both(narrow);
  simulated.headers[1] = examples::simulated_header(kVulkan);
  simulated.headers[1].identity = simulated.headers[0].identity;
  CHECK(api_differences(runs(simulated)).empty());
  LoadedFile searched = both(narrow);
  for (Entry& entry : searched.entries) std::get<PointRecord>(entry).result.point.parameters["role"] = std::string("search");
  CHECK(api_differences(runs(searched)).empty());
  LoadedFile failed = both(narrow);
  for (Entry& entry : failed.entries) std::get<PointRecord>(entry).result.outcome = {Status::failed, "lost"};
  CHECK(api_differences(runs(failed)).empty());
}

}  // namespace
}  // namespace percycle::api_differences_test

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "check_words.hpp"
#include "store/record_json.hpp"

namespace percycle::info_json_test {
namespace {

using nlohmann::json;

DeviceInfo full_info() {
  DeviceInfo info;
  info.api = Api::vulkan;
  info.index = 3;
  info.driver_manifest = "/etc/vulkan/icd.d/x.json";
  info.open_index = 1;
  info.name = "Some GPU";
  info.vendor = "NVIDIA";
  info.vendor_id = 0x10de;
  info.type = DeviceType::gpu;
  info.platform = "NVIDIA";
  info.api_version = "1.3.230";
  info.driver = "580.159.04";
  info.uuid = "00112233445566778899aabbccddeeff";
  info.pci = "0000:3b:00.0";
  info.compute_capability = "9.0";
  info.queue = "family 2: compute, transfer";
  info.peers = {{.index = 4, .name = "Some GPU", .pci = "0000:4c:00.0"}, {.index = 5, .name = "Another GPU"}};
  info.units = Sourced<std::uint32_t>{132, Provenance::reported};
  info.clock_mhz = Sourced<double>{1980.5, Provenance::catalogue};
  info.memory_bytes = 150754820096;
  info.max_allocation_bytes = 1;
  info.cache_bytes = 2;
  info.cache_line_bytes = 128;
  info.local_memory_bytes = 4;
  info.constant_bytes = 5;
  info.constant_buffers = 15;
  info.max_texel_elements = 6;
  info.max_image_side = 7;
  info.max_storage_bytes = std::numeric_limits<std::uint64_t>::max();
  info.max_group_size = 8;
  info.max_groups = 9;
  info.max_parameter_bytes = 10;
  info.shares_host_memory = true;
  info.subgroup_sizes = {16, 32};
  info.subgroup_size_control = true;
  info.max_subgroups = 11;
  info.address_bits = 64;
  info.buffer_addresses = true;
  info.int64 = true;
  info.global_atomics = {.int64 = true, .float_add = true};
  info.local_atomics = {.int64 = false, .float_add = true};
  info.timer_period_ns = 83.333;
  info.timer_valid_bits = 36;
  info.unit_clock = KernelClock{"PTX %clock64", false, std::nullopt};
  info.device_clock = KernelClock{"PTX %globaltimer", true, 32.0};
  info.unit_id = "PTX %smid";
  info.max_loop_iterations = 65535;
  info.part = "MIG slice";
  info.compile_only = "no memory heaps";
  info.lacks = {"one thing", "another"};
  return info;
}

/// The fields of every device, as JSON.
json bare_json() { return to_json(DeviceInfo{}); }

TEST_CASE("a device with everything set survives JSON, each field under its own name") {
  const json written = to_json(full_info());
  CHECK(to_json(from_json<DeviceInfo>(written)) == written);
  CHECK(written == json::parse(R"({
    "api": "vulkan", "index": 3, "driver_manifest": "/etc/vulkan/icd.d/x.json", "open_index": 1, "name": "Some GPU", "vendor": "NVIDIA",
    "vendor_id": 4318, "type": "gpu", "platform": "NVIDIA", "api_version": "1.3.230", "driver": "580.159.04",
    "uuid": "00112233445566778899aabbccddeeff", "pci": "0000:3b:00.0", "compute_capability": "9.0", "queue": "family 2: compute, transfer",
    "peers": [{"index": 4, "name": "Some GPU", "pci": "0000:4c:00.0"}, {"index": 5, "name": "Another GPU"}],
    "units": {"value": 132, "provenance": "reported"}, "clock_mhz": {"value": 1980.5, "provenance": "catalogue"},
    "memory_bytes": 150754820096, "max_allocation_bytes": 1, "cache_bytes": 2, "cache_line_bytes": 128, "local_memory_bytes": 4,
    "constant_bytes": 5, "constant_buffers": 15, "max_texel_elements": 6, "max_image_side": 7, "max_storage_bytes": 18446744073709551615, "max_group_size": 8, "max_groups": 9,
    "max_parameter_bytes": 10, "subgroup_sizes": [16, 32], "subgroup_size_control": true, "max_subgroups": 11, "address_bits": 64, "buffer_addresses": true,
    "int64": true, "global_atomics": ["int64", "float-add"], "local_atomics": ["float-add"], "timer_period_ns": 83.333, "timer_valid_bits": 36, "unit_clock": {"name": "PTX %clock64", "device_wide": false},
    "device_clock": {"name": "PTX %globaltimer", "device_wide": true, "tick_ns": 32.0}, "unit_id": "PTX %smid", "max_loop_iterations": 65535,
    "part": "MIG slice", "memory_features": ["shared-with-host"], "compile_only": "no memory heaps", "lacks": ["one thing", "another"]})"));
}

TEST_CASE("a new number of a device moves the numbers of its peers") {
  DeviceInfo info = full_info();
  info.peers.push_back({.index = 0, .name = "First GPU"});
  renumber(info, 7);
  CHECK(info.index == 7);
  CHECK(info.open_index == 1);
  CHECK(info.peers == std::vector<PeerDevice>{{8, "Some GPU", "0000:4c:00.0"}, {9, "Another GPU"}, {4, "First GPU"}});
  renumber(info, 3);
  CHECK(info.peers.back().index == 0);
}

TEST_CASE("a simulated device's model survives JSON") {
  DeviceInfo info;
  info.api = Api::sim;
  info.model = "models/mine.toml";
  const json written = to_json(info);
  CHECK(written["api"] == "sim");
  CHECK(written["model"] == "models/mine.toml");
  CHECK(from_json<DeviceInfo>(written).api == Api::sim);
  CHECK(from_json<DeviceInfo>(written).model == "models/mine.toml");
}

TEST_CASE("a device with nothing set survives JSON; absent values have no key") {
  const json written = bare_json();
  CHECK(to_json(from_json<DeviceInfo>(written)) == written);
  CHECK_FALSE(written.contains("model"));
  for (const char* key : {"driver_manifest",
                          "uuid",
                          "pci",
                          "compute_capability",
                          "peers",
                          "global_atomics",
                          "local_atomics",
                          "units",
                          "clock_mhz",
                          "memory_bytes",
                          "max_allocation_bytes",
                          "cache_bytes",
                          "cache_line_bytes",
                          "timer_period_ns",
                          "timer_valid_bits",
                          "unit_clock",
                          "device_clock",
                          "unit_id",
                          "max_subgroups",
                          "max_loop_iterations",
                          "part",
                          "memory_features",
                          "compile_only"}) {
    CAPTURE(key);
    CHECK_FALSE(written.contains(key));
    CHECK(to_json(full_info()).contains(key));
  }
}

TEST_CASE("every field of a device is read back, not only written") {
  const json full = to_json(full_info());
  for (const auto& item : full.items()) {
    const auto& key = item.key();
    CAPTURE(key);
    const bool optional = !bare_json().contains(key);
    json without = full;
    without.erase(key);
    if (optional) {
      CHECK(to_json(from_json<DeviceInfo>(without)) == without);
    } else {
      CHECK_THROWS_WITH_AS(from_json<DeviceInfo>(without), ("the line: '" + key + "' is missing").c_str(), std::invalid_argument);
    }
    json wrong = full;
    wrong[key] = nullptr;
    CHECK_THROWS_AS(from_json<DeviceInfo>(wrong), std::invalid_argument);
  }
}

TEST_CASE("reading a device refuses inexact values, naming the field") {
  const auto with = [](const char* key, json value) {
    json changed = to_json(full_info());
    changed[key] = std::move(value);
    return changed;
  };
  CHECK_THROWS_WORDS("json.unknown-colour", std::invalid_argument, from_json<DeviceInfo>(with("colour", "red")));
  CHECK_THROWS_WORDS("json.not-an-api", std::invalid_argument, from_json<DeviceInfo>(with("api", "cuda")));
  CHECK_THROWS_WORDS("json.index-below-0", std::invalid_argument, from_json<DeviceInfo>(with("index", -1)));
  CHECK_THROWS_WORDS("json.index-too-large", std::invalid_argument, from_json<DeviceInfo>(with("index", 4294967296)));
  CHECK_THROWS_WORDS("json.index-not-whole", std::invalid_argument, from_json<DeviceInfo>(with("index", 1.5)));
  // A whole number in the sense of JSON Schema.
  CHECK(from_json<DeviceInfo>(with("index", 1.0)).index == 1);
  CHECK_THROWS_WORDS("json.not-a-provenance", std::invalid_argument,
                     from_json<DeviceInfo>(with("units", json{{"value", 1}, {"provenance", "guess"}})));
  CHECK_THROWS_WORDS("json.unknown-units-field", std::invalid_argument,
                     from_json<DeviceInfo>(with("units", json{{"value", 1}, {"provenance", "user"}, {"x", 1}})));
  CHECK_THROWS_WORDS("json.line-no-object", std::invalid_argument, from_json<DeviceInfo>(json::array()));
}

TEST_CASE("a number that JSON cannot hold is refused, not written as null") {
  DeviceInfo info = full_info();
  info.timer_period_ns = std::numeric_limits<double>::infinity();  // RADV's null device
  CHECK_THROWS_WORDS("json.period-not-finite", std::invalid_argument, to_json(info));
  info = full_info();
  info.clock_mhz->value = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WORDS("json.clock-not-finite", std::invalid_argument, to_json(info));
}

TEST_CASE("an enumeration problem survives JSON") {
  const EnumerationProblem problem{Api::vulkan, "loader", "not found"};
  const json written = to_json(problem);
  CHECK(written == json{{"api", "vulkan"}, {"where", "loader"}, {"message", "not found"}});
  CHECK(to_json(from_json<EnumerationProblem>(written)) == written);
}

}  // namespace
}  // namespace percycle::info_json_test

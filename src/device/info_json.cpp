#include "device/info_json.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "device/json_fields.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<DeviceType, std::string_view>, 3> kTypes{{
    {DeviceType::gpu, "gpu"},
    {DeviceType::cpu, "cpu"},
    {DeviceType::other, "other"},
}};

constexpr std::string_view kInt64 = "int64";
constexpr std::string_view kFloatAdd = "float-add";

std::string_view type_word(DeviceType type) {
  for (const auto& [value, name] : kTypes) {
    if (value == type) return name;
  }
  throw std::invalid_argument("'type' is not a device type");
}

std::optional<DeviceType> parse_type(std::string_view text) {
  for (const auto& [value, name] : kTypes) {
    if (name == text) return value;
  }
  return std::nullopt;
}

void set_text(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

template <typename T>
void set_optional(json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

void set_optional(json& object, const char* key, const std::optional<double>& value) {
  if (value) object[key] = finite(*value, key);
}

template <typename T>
void set_optional(json& object, const char* key, const std::optional<Sourced<T>>& value) {
  if (value) object[key] = sourced_to_json(*value, key);
}

void set_optional(json& object, const char* key, const std::optional<KernelClock>& value) {
  if (value) object[key] = to_json(*value);
}

/// A list of the words for what is there; absent where nothing is.
void set_atomics(json& object, const char* key, const WideAtomics& atomics) {
  if (atomics.int64) object[key].push_back(kInt64);
  if (atomics.float_add) object[key].push_back(kFloatAdd);
}

WideAtomics read_atomics(JsonFields& fields, std::string_view key) {
  WideAtomics atomics;
  for (const auto& word : fields.optional_text_list(key)) {
    if (word != kInt64 && word != kFloatAdd)
      throw std::invalid_argument(fmt::format("'{}' names unknown atomics '{}'", key, word));
    (word == kInt64 ? atomics.int64 : atomics.float_add) = true;
  }
  return atomics;
}

std::optional<KernelClock> read_clock(JsonFields& fields, std::string_view key) {
  const auto value = fields.optional(key);
  return value ? std::optional(kernel_clock_from_json(*value)) : std::nullopt;
}

}  // namespace

json to_json(const KernelClock& clock) {
  json object = {{"name", clock.name}, {"device_wide", clock.device_wide}};
  set_optional(object, "tick_ns", clock.tick_ns);
  return object;
}

KernelClock kernel_clock_from_json(JsonValue json) {
  JsonFields fields(json, "clock");
  KernelClock clock;
  clock.name = fields.text("name");
  clock.device_wide = fields.boolean("device_wide");
  clock.tick_ns = fields.optional_number("tick_ns");
  fields.finish();
  return clock;
}

json to_json(const DeviceInfo& info) {
  json object;
  object["api"] = to_string(info.api);
  object["index"] = info.index;
  set_text(object, "driver_manifest", info.driver_manifest);
  set_text(object, "model", info.model);
  object["open_index"] = info.open_index;

  object["name"] = info.name;
  object["vendor"] = info.vendor;
  object["vendor_id"] = info.vendor_id;
  object["type"] = type_word(info.type);
  object["platform"] = info.platform;
  object["api_version"] = info.api_version;
  object["driver"] = info.driver;

  set_optional(object, "uuid", info.uuid);
  set_optional(object, "pci", info.pci);
  set_optional(object, "compute_capability", info.compute_capability);

  set_optional(object, "units", info.units);
  set_optional(object, "clock_mhz", info.clock_mhz);
  set_optional(object, "memory_bytes", info.memory_bytes);
  set_optional(object, "max_allocation_bytes", info.max_allocation_bytes);
  set_optional(object, "cache_bytes", info.cache_bytes);
  set_optional(object, "cache_line_bytes", info.cache_line_bytes);
  object["local_memory_bytes"] = info.local_memory_bytes;
  object["constant_bytes"] = info.constant_bytes;
  object["max_texel_elements"] = info.max_texel_elements;
  object["max_storage_bytes"] = info.max_storage_bytes;
  object["max_group_size"] = info.max_group_size;
  object["max_groups"] = info.max_groups;
  object["max_parameter_bytes"] = info.max_parameter_bytes;
  object["subgroup_sizes"] = info.subgroup_sizes;
  object["subgroup_size_control"] = info.subgroup_size_control;
  set_optional(object, "max_subgroups", info.max_subgroups);
  object["address_bits"] = info.address_bits;
  object["buffer_addresses"] = info.buffer_addresses;
  object["int64"] = info.int64;
  set_atomics(object, "global_atomics", info.global_atomics);
  set_atomics(object, "local_atomics", info.local_atomics);

  set_optional(object, "timer_period_ns", info.timer_period_ns);
  set_optional(object, "timer_valid_bits", info.timer_valid_bits);
  set_optional(object, "unit_clock", info.unit_clock);
  set_optional(object, "device_clock", info.device_clock);
  set_optional(object, "unit_id", info.unit_id);

  set_optional(object, "max_loop_iterations", info.max_loop_iterations);
  set_text(object, "compile_only", info.compile_only);
  object["lacks"] = info.lacks;
  return object;
}

DeviceInfo device_info_from_json(JsonValue json) {
  JsonFields fields(json, "device");
  DeviceInfo info;
  info.api = fields.word("api", parse_api);
  info.index = fields.unsigned_integer<std::uint32_t>("index");
  info.driver_manifest = fields.optional_text("driver_manifest").value_or("");
  info.model = fields.optional_text("model").value_or("");
  info.open_index = fields.unsigned_integer<std::uint32_t>("open_index");

  info.name = fields.text("name");
  info.vendor = fields.text("vendor");
  info.vendor_id = fields.unsigned_integer<std::uint32_t>("vendor_id");
  info.type = fields.word("type", parse_type);
  info.platform = fields.text("platform");
  info.api_version = fields.text("api_version");
  info.driver = fields.text("driver");

  info.uuid = fields.optional_text("uuid");
  info.pci = fields.optional_text("pci");
  info.compute_capability = fields.optional_text("compute_capability");

  info.units = fields.optional_sourced<std::uint32_t>("units");
  info.clock_mhz = fields.optional_sourced<double>("clock_mhz");
  info.memory_bytes = fields.optional_unsigned<std::uint64_t>("memory_bytes");
  info.max_allocation_bytes = fields.optional_unsigned<std::uint64_t>("max_allocation_bytes");
  info.cache_bytes = fields.optional_unsigned<std::uint64_t>("cache_bytes");
  info.cache_line_bytes = fields.optional_unsigned<std::uint32_t>("cache_line_bytes");
  info.local_memory_bytes = fields.unsigned_integer<std::uint64_t>("local_memory_bytes");
  info.constant_bytes = fields.unsigned_integer<std::uint64_t>("constant_bytes");
  info.max_texel_elements = fields.unsigned_integer<std::uint64_t>("max_texel_elements");
  info.max_storage_bytes = fields.unsigned_integer<std::uint64_t>("max_storage_bytes");
  info.max_group_size = fields.unsigned_integer<std::uint32_t>("max_group_size");
  info.max_groups = fields.unsigned_integer<std::uint64_t>("max_groups");
  info.max_parameter_bytes = fields.unsigned_integer<std::uint32_t>("max_parameter_bytes");
  info.subgroup_sizes = fields.unsigned_list<std::uint32_t>("subgroup_sizes");
  info.subgroup_size_control = fields.boolean("subgroup_size_control");
  info.max_subgroups = fields.optional_unsigned<std::uint32_t>("max_subgroups");
  info.address_bits = fields.unsigned_integer<std::uint32_t>("address_bits");
  info.buffer_addresses = fields.boolean("buffer_addresses");
  info.int64 = fields.boolean("int64");
  info.global_atomics = read_atomics(fields, "global_atomics");
  info.local_atomics = read_atomics(fields, "local_atomics");

  info.timer_period_ns = fields.optional_number("timer_period_ns");
  info.timer_valid_bits = fields.optional_unsigned<std::uint32_t>("timer_valid_bits");
  info.unit_clock = read_clock(fields, "unit_clock");
  info.device_clock = read_clock(fields, "device_clock");
  info.unit_id = fields.optional_text("unit_id");

  info.max_loop_iterations = fields.optional_unsigned<std::uint64_t>("max_loop_iterations");
  info.compile_only = fields.optional_text("compile_only").value_or("");
  info.lacks = fields.text_list("lacks");
  fields.finish();
  return info;
}

json to_json(const EnumerationProblem& problem) {
  return {{"api", to_string(problem.api)}, {"where", problem.where}, {"what", problem.what}};
}

EnumerationProblem enumeration_problem_from_json(JsonValue json) {
  JsonFields fields(json, "problem");
  EnumerationProblem problem;
  problem.api = fields.word("api", parse_api);
  problem.where = fields.text("where");
  problem.what = fields.text("what");
  fields.finish();
  return problem;
}

}  // namespace percycle

#include <fmt/format.h>

#include "sim/model.hpp"

namespace percycle::sim {

DeviceInfo describe(const Model& model, const std::string& selector_name) {
  DeviceInfo info;
  info.api = Api::sim;
  info.model = selector_name;
  info.name = "Simulated " + model.name;
  info.vendor = model.vendor;
  info.type = model.type;
  info.platform = "percycle simulated device";
  info.api_version = "1";
  info.driver = "model " + model.text_hash;
  if (!model.compute_capability.empty()) info.compute_capability = model.compute_capability;

  info.units = Sourced<std::uint32_t>{model.reported_units == 0 ? model.units : model.reported_units, Provenance::reported};
  info.clock_mhz = Sourced<double>{model.clock.mhz, Provenance::reported};
  info.memory_bytes = model.memory_bytes;
  info.max_allocation_bytes = model.memory_bytes;
  info.local_memory_bytes = model.local.bytes;
  // A model without the path has no memory of that kind.
  info.constant_bytes = model.path(MemoryPath::constant) != nullptr ? model.constant_bytes : 0;
  if (model.constant_buffers > 1) info.constant_buffers = model.constant_buffers;
  info.max_texel_elements = model.path(MemoryPath::texture) != nullptr ? model.max_texel_elements : 0;
  info.max_storage_bytes = model.memory_bytes;
  info.max_group_size = model.max_group_size;
  info.max_groups = 65535;         // Vulkan 1.3, table Required Limits: maxComputeWorkGroupCount
  info.max_parameter_bytes = 128;  // the same: maxPushConstantsSize
  // The same: maxImageDimension2D.
  if (info.max_texel_elements > 0) info.max_image_side = 4096;
  info.subgroup_sizes = {model.subgroup_size};
  info.address_bits = 64;
  info.buffer_addresses = true;
  info.int64 = true;
  info.fp64 = true;
  info.fp16 = true;
  info.int16 = true;
  info.int8 = true;
  info.dot_product = true;
  info.subgroup_operations = {.vote = true, .ballot = true, .broadcast = true, .shuffle = true, .reduction = true};

  if (model.timer.device) {
    info.timer_period_ns = model.timer.resolution_ns;
    info.timer_valid_bits = 64;
  }
  if (model.unit_clock) {
    KernelClock clock;
    clock.name = "simulated unit clock";
    if (model.unit_clock->tick_mhz > 0) clock.tick_ns = 1000 / model.unit_clock->tick_mhz;
    info.unit_clock = clock;
  }
  info.unit_id = "simulated unit number";
  return info;
}

}  // namespace percycle::sim

#include "experiments/chases/parts/latency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "core/random.hpp"
#include "core/units.hpp"
#include "device/rules.hpp"
#include "device/values.hpp"
#include "expected/multiply_add.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/optimization.hpp"

namespace percycle {
namespace {

// Constants of kernel pair `latency`.
constexpr std::uint32_t kLocalGroupSize = 256;  // to copy the chain into local memory
constexpr std::uint32_t kMultiply = 1664525;    // Numerical Recipes, 3rd edition, section 7.1.4
constexpr std::uint32_t kAdd = 1013904223;
// A multiple of each number of buffers, so that a turn ends with the last buffer.
constexpr std::uint64_t kLoadsPerBufferTurn = 32;
// 1 MiB in buffers of 64 KiB. A known GPU whose buffers are no larger (NVIDIA) keeps constants in
// 128 KiB of a unit at most, and behind them in its L2.
constexpr std::uint32_t kMostConstantBuffers = 16;

std::string form_definition(const std::string& form) {
  static const std::map<std::string, std::string> definitions{
      {"pointer", "FORM_POINTER"}, {"offset32", "FORM_OFFSET32"}, {"index", "FORM_INDEX"}, {"byte-offset", "FORM_BYTE_OFFSET"}};
  return definitions.at(form);
}

/// Bytes of one unit of a 32-bit link.
std::uint32_t link_unit(const std::string& path, const std::string& form) {
  if (form != "index") return 1;
  return path == "constant" ? 16 : 4;  // constants are arrays of 16-byte vectors (std140)
}

std::uint32_t lane_count(const DeviceInfo& device, bool whole_subgroup, std::optional<std::uint32_t> subgroup_size) {
  if (!whole_subgroup) return 1;
  if (subgroup_size) return *subgroup_size;
  return device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front();
}

bool is_uniform(MemoryPath path) { return path == MemoryPath::scalar || path == MemoryPath::constant; }

const std::vector<KernelParameter> kChaseParameters{{"loops", "timed turns of 31 loads"},
                                                    {"warm_loops", "turns before the clocks are read"},
                                                    {"nodes", "local memory only: nodes to copy"},
                                                    {"stride_words", "local memory only"},
                                                    {"link_unit", "bytes of one unit of a 32-bit link"},
                                                    {"multiply", "CONTROL"},
                                                    {"add", "CONTROL"},
                                                    {"lanes", "lanes that walk by their own addresses; elsewhere all walk"}};

/// The buffer for a chain of that span. Large buffers have sizes that other points share, so that
/// the device can reuse them: an H100's driver needs a second to allocate one.
std::uint64_t shared_size(const DeviceInfo& device, const std::string& path, std::uint64_t span) {
  constexpr std::uint64_t kLarge = 64 * kMiB;
  if (span < kLarge || device.type != DeviceType::gpu || !device.model.empty()) return span;
  return std::min(std::bit_ceil(span), chase_capacity(device, path) / 4 * 4);
}

/// The same kernel with CONTROL: the cost of the loop and of the form's address arithmetic. Its end
/// value is checked like the end value of the chase.
LoopedDispatch control_of(Device& device, KernelDesc desc, const ChasePath& path, std::uint32_t lanes,
                          std::uint64_t loads_per_turn) {
  const bool per_step = desc.definitions.at("FORM") == "FORM_INDEX";
  desc.definitions["CONTROL"] = "1";
  // The kernel declares constants but never reads them.
  if (path.memory == MemoryPath::constant) desc.constants.assign(16, std::byte{});
  const auto state = buffer_of(device, std::vector<std::uint64_t>(lanes));
  const auto out = result_buffer(device, lanes * sizeof(std::uint64_t));

  LoopedDispatch control;
  control.dispatch = {device.create(desc),
                      {},
                      {{"loops", 0},
                       {"warm_loops", 0},
                       {"nodes", 0},
                       {"stride_words", 0},
                       {"link_unit", 1},
                       {"multiply", kMultiply},
                       {"add", kAdd},
                       {"lanes", lanes}},
                      1};
  if (path.binding) {
    // The kernel declares it but never reads it.
    const auto unread = device.create(BufferDesc{256});
    control.dispatch.bindings.push_back(bound(device, unread, *path.binding));
  }
  control.dispatch.bindings.push_back({state, nullptr});
  control.dispatch.bindings.push_back({out, nullptr});
  control.ops_per_loop = loads_per_turn;
  control.turn.emplace();
  control.max_loops = max_loops(device.info(), 0);
  const std::uint64_t steps = per_step ? loads_per_turn : 1;
  control.verify = [out, steps, lanes, value = std::uint32_t{0}](Device& on, std::uint64_t loops) mutable {
    value = multiply_add_chain(value, kMultiply, kAdd, loops * steps);
    const auto ends = read_results<std::uint64_t>(on, *out, lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (ends[lane] != value) {
        return Outcome{Status::invalid,
                       fmt::format("the control kernel's lane {} ended at {} instead of {}", lane, ends[lane], value)};
      }
    }
    return Outcome{};
  };
  return control;
}

}  // namespace

const std::vector<ChasePath>& chase_paths() {
  static const std::vector<ChasePath> all{
      {"global", "PATH_GLOBAL", {"pointer", "offset32"}, BindingKind::address, MemoryPath::global},
      {"global-index", "PATH_GLOBAL_INDEX", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::global},
      {"scalar", "PATH_SCALAR", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::scalar},
      {"texture", "PATH_TEXTURE", {"index"}, BindingKind::texel, MemoryPath::texture},
      {"constant", "PATH_CONSTANT", {"index", "byte-offset"}, std::nullopt, MemoryPath::constant},
      {"local", "PATH_LOCAL", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::local},
  };
  return all;
}

const ChasePath& chase_path(const std::string& name) {
  const auto& paths = chase_paths();
  return *std::find_if(paths.begin(), paths.end(), [&](const ChasePath& path) { return path.name == name; });
}

std::uint32_t chase_group_size(const DeviceInfo& device, const std::string& path, std::uint32_t lanes,
                               std::optional<std::uint32_t> subgroup_size) {
  if (is_uniform(chase_path(path).memory)) return lanes;
  if (path == "local") return std::max(lanes, std::min(kLocalGroupSize, device.max_group_size));
  const std::uint32_t subgroup = subgroup_size.value_or(device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front());
  return std::min(std::max({lanes, subgroup, 2u}), device.max_group_size);
}

std::uint64_t chase_capacity(const DeviceInfo& device, const std::string& path) {
  if (path == "constant") return device.constant_bytes;
  if (path == "local") return device.local_memory_bytes;
  std::uint64_t bytes = std::min(device.max_allocation_bytes.value_or(UINT64_MAX), device.memory_bytes.value_or(UINT64_MAX) / 4);
  if (path == "texture") bytes = std::min(bytes, device.max_texel_elements * 4);
  if (path == "global-index" || path == "scalar") bytes = std::min(bytes, device.max_storage_bytes);
  return bytes;
}

ChainImage chase_image(const DeviceInfo& device, const Chase& chase) {
  return {chase.chain, ChainLayout{.stride_bytes = chase.stride_bytes,
                                   .columns = chase.columns,
                                   .row_stride_bytes = chase.row_stride_bytes,
                                   .pointers = chase.form == "pointer",
                                   .link_unit = link_unit(chase.path, chase.form),
                                   .lanes = lane_count(device, chase.whole_subgroup, chase.subgroup_size)}};
}

std::uint32_t constant_buffers_for(const DeviceInfo& device, std::uint64_t bytes) {
  if (bytes <= device.constant_bytes || device.constant_bytes == 0) return 1;
  return std::min(std::bit_floor(device.constant_buffers.value_or(1)), kMostConstantBuffers);
}

std::uint64_t most_constant_bytes(const DeviceInfo& device) {
  return device.constant_bytes * constant_buffers_for(device, device.constant_bytes + 1);
}

std::uint64_t constant_step(const DeviceInfo& device, std::uint64_t bytes, std::uint64_t stride_bytes) {
  const std::uint32_t buffers = constant_buffers_for(device, bytes);
  return buffers == 1 ? stride_bytes : buffers * std::lcm(stride_bytes, kConstantBufferStep);
}

Chain chain_through_buffers(std::uint64_t nodes, std::uint32_t buffers, std::uint64_t seed) {
  const auto each = static_cast<std::uint32_t>(nodes / buffers);
  const Chain inside(each, ChainOrder::random, seed);
  std::vector<std::uint32_t> order;
  order.reserve(nodes);
  for (std::uint32_t round = 0; round < each; ++round) {
    // All buffers have the same order, each from another place.
    for (std::uint32_t buffer = 0; buffer < buffers; ++buffer)
      order.push_back(buffer * each + inside.place(round + std::uint64_t{buffer} * each / buffers));
  }
  return Chain::listed(std::move(order));
}

std::vector<std::byte> constant_chain(const ChainImage& image, std::uint64_t seed, std::uint32_t buffers) {
  const std::uint64_t span = image.layout.span(image.chain.nodes());
  std::vector<std::byte> bytes((span + 15) / 16 * 16);
  SplitMix64 filler(seed);
  for (std::size_t offset = 0; offset < bytes.size(); offset += 8) {
    const std::uint64_t value = filler();
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }
  const std::uint64_t links_per_buffer = bytes.size() / buffers / image.layout.link_unit;
  for (std::uint64_t position = 0; position < image.chain.nodes(); ++position) {
    const auto link = static_cast<std::uint32_t>(image.link_to(position + 1, 0) % links_per_buffer);
    std::memcpy(bytes.data() + image.layout.offset(image.chain.place(position)), &link, sizeof link);
  }
  return bytes;
}

std::optional<std::string> chase_unsupported(const DeviceInfo& device, const std::string& name, const std::string& form,
                                             bool whole_subgroup, std::optional<std::uint32_t> subgroup_size,
                                             std::uint64_t stride_bytes, std::uint64_t span_bytes) {
  const ChasePath& path = chase_path(name);
  const bool vulkan = device.api == Api::vulkan;

  if (std::find(path.forms.begin(), path.forms.end(), form) == path.forms.end()) {
    return fmt::format("the {} path has no form '{}' (it has: {})", name, form, fmt::join(path.forms, ", "));
  }
  if (vulkan && form == "byte-offset") return "GLSL has no byte-addressed arrays: an index is always scaled";
  if (path.binding == BindingKind::address && !device.buffer_addresses) return "the device has no buffer addresses";
  if (form == "pointer" && device.address_bits != 64) return fmt::format("pointers have {} bits, not 64", device.address_bits);
  if (vulkan && form == "offset32" && !device.int64) return "the device has no 64-bit integers to add the offset with";
  // A byte offset in local memory becomes a pointer of up to 8 bytes.
  const bool address = form == "pointer" || (name == "local" && form == "byte-offset");
  const std::uint64_t granule = address ? 8 : name == "constant" ? 16 : 4;
  if (stride_bytes % granule != 0)
    return fmt::format("a stride of {} B is not a multiple of the {} B that a node needs", stride_bytes, granule);
  if (whole_subgroup && device.subgroup_sizes.empty()) {
    return "the device reports no subgroup size";
  }
  const std::uint32_t group_size =
      chase_group_size(device, name, lane_count(device, whole_subgroup, subgroup_size), subgroup_size);
  if (auto reason = group_unsupported(device, group_size, subgroup_size)) return reason;
  const std::uint64_t capacity = chase_capacity(device, name);
  if (capacity == 0) return fmt::format("the device has no {} memory", name);
  if (span_bytes > capacity) return fmt::format("the {} path holds at most {}", name, format_bytes(capacity));
  if (form != "pointer" && span_bytes > (std::uint64_t{1} << 32)) return "32-bit links reach 4 GiB";
  return std::nullopt;
}

namespace {

/// The kernel without its constants.
KernelDesc describe_chase(const DeviceInfo& device, const Chase& chase, std::uint32_t lanes) {
  const ChasePath& path = chase_path(chase.path);
  KernelDesc desc{.name = "latency",
                  .definitions = {{"PATH", path.definition}, {"FORM", form_definition(chase.form)}},
                  .local_size = chase_group_size(device, chase.path, lanes, chase.subgroup_size),
                  .parameters = kChaseParameters,
                  .subgroup_size = chase.subgroup_size,
                  .optimize = chase.optimize};
  if (path.binding) desc.bindings.push_back({"chain", *path.binding});
  desc.bindings.insert(desc.bindings.end(), {{"state"}, {"out"}});
  if (chase.path == "local") desc.definitions["LOCAL_WORDS"] = std::to_string(device.local_memory_bytes / 4);
  if (chase.constant_buffers > 1) desc.definitions["CONSTANT_BUFFERS"] = std::to_string(chase.constant_buffers);
  return desc;
}

/// Adds the chain to the kernel, as constants or as a binding, which is returned. Writes the lanes'
/// first links to `state`. Adds the dispatches that do this on the device to `setup`.
std::vector<Binding> bind_chase(Device& device, const Chase& chase, const ChainImage& image, std::uint64_t seed,
                                const std::shared_ptr<Buffer>& state, KernelDesc& desc, std::vector<Dispatch>& setup) {
  const ChasePath& path = chase_path(chase.path);
  if (!path.binding) {
    desc.constants = constant_chain(image, seed, chase.constant_buffers);
    desc.constant_buffers = chase.constant_buffers;
    write_values(device, *state, std::vector<std::uint64_t>(image.layout.lanes, image.link_to(0, 0)));
    return {};
  }
  const std::uint64_t nodes = image.chain.nodes();
  const auto memory = device.create(BufferDesc{shared_size(device.info(), chase.path, image.layout.span(nodes))});
  setup = build_chain(device, memory, state, image);
  const Binding binding = bound(device, memory, *path.binding);
  if (chase.path != "local" && nodes > kWarmLapNodes) {
    const auto touches = touch_chain(device, binding, *path.binding, image);
    setup.insert(setup.end(), touches.begin(), touches.end());
  }
  return {binding};
}

/// Compares the end of every lane after all loads of the trial.
auto check_of(const std::shared_ptr<Buffer>& out, const ChainImage& image, std::uint64_t warm_loops,
              std::uint64_t loads_per_turn) {
  return [out, image, warm_loops, loads_per_turn, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
    // After a turn through several buffers the chase is in the first, where offsets count from 0.
    walked += (warm_loops + loops) * loads_per_turn;
    const std::uint64_t expected = image.layout.offset(image.chain.place(walked));
    const auto ends = read_results<std::uint64_t>(on, *out, image.layout.lanes);
    for (std::size_t lane = 0; lane < ends.size(); ++lane) {
      if (ends[lane] == expected) continue;
      return Outcome{Status::invalid, fmt::format("lane {} ended at offset {} of the chain instead of {} after {} loads", lane,
                                                  ends[lane], expected, walked)};
    }
    return Outcome{};
  };
}

}  // namespace

Trial chase_trial(Device& device, const Chase& chase, std::uint64_t seed) {
  const ChasePath& path = chase_path(chase.path);
  const ChainImage image = chase_image(device.info(), chase);
  const std::uint64_t nodes = image.chain.nodes();
  const std::uint32_t lanes = image.layout.lanes;
  const bool several_buffers = chase.constant_buffers > 1;
  const std::uint64_t loads_per_turn = several_buffers ? kLoadsPerBufferTurn : kLoadsPerTurn;
  KernelDesc desc = describe_chase(device.info(), chase, lanes);

  Trial trial;
  trial.control = control_of(device, desc, path, lanes, loads_per_turn);
  trial.control_clocks = ClockReadings{trial.control->dispatch.bindings.back().buffer, 0};
  if (chase.declared_local_bytes > 0) desc.definitions["DECLARED_WORDS"] = std::to_string(chase.declared_local_bytes / 4);

  const auto state = device.create(BufferDesc{lanes * sizeof(std::uint64_t)});
  const auto out = result_buffer(device, lanes * sizeof(std::uint64_t));
  // `verify` keeps it alive, so that the chain stays at another place.
  const auto before = chase.elsewhere ? device.create(BufferDesc{image.layout.span(nodes)}) : nullptr;
  std::vector<Binding> bindings = bind_chase(device, chase, image, seed, state, desc, trial.setup);
  bindings.insert(bindings.end(), {{state, nullptr}, {out, nullptr}});

  // No other dispatch reads a kernel's constants in advance.
  const std::uint64_t warm_loops = several_buffers ? (nodes + loads_per_turn - 1) / loads_per_turn : warm_turns(nodes);
  const auto kernel = device.create(desc);
  if (!chase.optimize) trial.timed.optimized = optimized_twin(device, desc);
  trial.timed.dispatch = {kernel,
                          bindings,
                          {{"loops", 0},
                           {"warm_loops", static_cast<std::uint32_t>(warm_loops)},
                           {"nodes", static_cast<std::uint32_t>(nodes)},
                           {"stride_words", static_cast<std::uint32_t>(chase.stride_bytes / 4)},
                           {"link_unit", image.layout.link_unit},
                           {"multiply", kMultiply},
                           {"add", kAdd},
                           {"lanes", lanes}},
                          1};
  trial.timed.ops_per_loop = loads_per_turn;
  // In local memory a byte offset becomes a pointer.
  const bool pointer = chase.form == "pointer" || (chase.path == "local" && chase.form == "byte-offset");
  trial.timed.turn = {{.path = path.memory, .kind = AccessKind::read, .width = pointer ? 8u : 4u, .count = loads_per_turn}};
  // The copy into local memory loops too.
  const std::uint64_t other_loops = warm_loops + (chase.path == "local" ? nodes / desc.local_size + 1 : 0);
  trial.timed.max_loops = max_loops(device.info(), other_loops);
  trial.timed.verify = [before, check = check_of(out, image, warm_loops, loads_per_turn)](
                           Device& on, std::uint64_t loops) mutable { return check(on, loops); };
  trial.clocks = ClockReadings{out, 0};
  trial.ops_per_lap = nodes;
  observe_subgroup_size(trial, device);
  return trial;
}

}  // namespace percycle

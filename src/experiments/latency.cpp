#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "experiments/chain.hpp"
#include "experiments/chain_setup.hpp"
#include "experiments/experiment.hpp"
#include "experiments/multiply_add.hpp"
#include "experiments/sweep.hpp"
#include "experiments/word_list.hpp"

namespace percycle {
namespace {

// Of kernel pair `latency`. A prime: on a chain of 2 to 30 nodes no single turn ends where it began, so that one that did not happen shows.
constexpr std::uint64_t kStepsPerLoop = 31;
// A chain up to this size is walked once by the chase itself before its clocks are read, since no other work-group can warm a unit's own
// caches for it; no first-level cache known is larger. Above, touch_chain leaves what a lap would leave in the shared levels.
constexpr std::uint64_t kWarmLapBytes = 512 * kKiB;
constexpr std::uint64_t kShortWarmLoops = 32;
constexpr std::uint32_t kLocalGroupSize = 256;  // copies the chain into local memory; only the chasing lanes stay
constexpr std::uint32_t kMultiply = 1664525;    // any odd pair would do: Numerical Recipes, 3rd edition, section 7.1.4
constexpr std::uint32_t kAdd = 1013904223;
constexpr std::size_t kMaxRefined = 24;  // points added per path, at most a third of them in one generation

/// One way to reach memory: what its kernels are told, and how its links are scaled.
struct Path {
  std::string name;
  std::string definition;
  std::vector<std::string> forms;      ///< the first is the default
  std::optional<BindingKind> binding;  ///< of the chain; none: constant memory
  MemoryPath memory = MemoryPath::global;
};

const std::vector<Path>& paths() {
  static const std::vector<Path> all{
      {"global", "PATH_GLOBAL", {"pointer", "offset32"}, BindingKind::address, MemoryPath::global},
      {"global-index", "PATH_GLOBAL_INDEX", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::global},
      {"scalar", "PATH_SCALAR", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::scalar},
      {"texture", "PATH_TEXTURE", {"index"}, BindingKind::texel, MemoryPath::texture},
      {"constant", "PATH_CONSTANT", {"index", "byte-offset"}, std::nullopt, MemoryPath::constant},
      {"local", "PATH_LOCAL", {"index", "byte-offset"}, BindingKind::storage, MemoryPath::local},
  };
  return all;
}

const Path& path_named(const std::string& name) {
  return *std::find_if(paths().begin(), paths().end(), [&](const Path& path) { return path.name == name; });
}

std::string form_definition(const std::string& form) {
  static const std::map<std::string, std::string> definitions{
      {"pointer", "FORM_POINTER"}, {"offset32", "FORM_OFFSET32"}, {"index", "FORM_INDEX"}, {"byte-offset", "FORM_BYTE_OFFSET"}};
  return definitions.at(form);
}

/// Bytes of one unit of a 32-bit link.
std::uint32_t link_unit(const std::string& path, const std::string& form) {
  if (form != "index") return 1;
  return path == "constant" ? 16 : 4;  // constants are arrays of 16-byte vectors in both APIs (std140), all else of 4-byte words
}

/// The value of a number- or bytes-typed option, or what the experiment decides.
std::uint64_t bytes_or(const Options& options, const std::string& name, std::uint64_t automatic) {
  const auto& value = options.value(name);
  return value == "auto" ? automatic : parse_bytes(value);
}

/// The largest chain this path can hold on this device; 0 where the path does not exist.
std::uint64_t path_capacity(const DeviceInfo& device, const std::string& path) {
  if (path == "constant") return device.constant_bytes;
  if (path == "local") return device.local_memory_bytes;
  std::uint64_t bytes = std::min(device.max_allocation_bytes.value_or(UINT64_MAX), device.memory_bytes.value_or(UINT64_MAX) / 4);
  if (path == "texture") bytes = std::min(bytes, device.max_texel_elements * 4);
  if (path == "global-index" || path == "scalar") bytes = std::min(bytes, device.max_storage_bytes);
  return bytes;
}

/// How far a sweep goes unless told: 512 MiB is four times the largest last-level cache of a consumer card (128 MiB Infinity Cache), 1 GiB
/// four times that of any card known (256 MiB, CDNA 3).
std::uint64_t default_max_bytes(const DeviceInfo& device, Preset preset, const std::string& path) {
  // What every constant bank known holds; each footprint is a program of its own, and some runtimes offer megabytes of ordinary memory.
  if (path == "constant") return 64 * kKiB;
  if (preset == Preset::quick) return 64 * kMiB;
  return device.type == DeviceType::gpu && device.memory_bytes.value_or(0) >= 8 * kGiB ? kGiB : 512 * kMiB;
}

std::uint64_t default_stride(const DeviceInfo& device, const std::string& path) {
  if (path == "local") return 64;     // no lines: only the addresses differ
  if (path == "constant") return 64;  // line of NVIDIA's constant L1 (T4 report, table 3.1); others are as long or longer
  // A stride at or above the line keeps one node to a line. 128 B is the longest line of a first-level cache known (NVIDIA, RDNA).
  return device.type == DeviceType::cpu ? 64 : 128;
}

std::uint64_t lane_count(const DeviceInfo& device, const Point& point) {
  if (word(point.parameters, "lanes") == "1") return 1;
  const auto asked = point.parameters.find("subgroup_size");
  if (asked != point.parameters.end()) return static_cast<std::uint64_t>(std::get<std::int64_t>(asked->second));
  return device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front();
}

std::uint64_t read_word64(std::span<const std::byte> bytes, std::size_t index) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

constexpr std::size_t kLoopsWord = 0;
constexpr std::size_t kWarmLoopsWord = 1;
constexpr std::size_t kUnitWord = 4;
constexpr std::uint32_t kParameterWords = 7;
constexpr std::uint64_t kClockWords = 4;  // 64-bit words at the head of the out buffer

/// What the kernel does. Clocks are the device's business and stay as they are.
Meaning chase_meaning(const std::string& form, MemoryPath path, std::uint32_t lanes) {
  return [form, path, lanes](const Execution& run, MemoryModel& memory) {
    const bool constant = path == MemoryPath::constant;
    const std::span<const std::byte> chain = constant ? run.constants : std::span<const std::byte>(run.bindings[0]);
    const auto state = run.bindings[constant ? 0 : 1];
    const auto out = run.bindings[constant ? 1 : 2];
    const std::uint64_t steps = kStepsPerLoop * (std::uint64_t{run.parameters[kLoopsWord]} + run.parameters[kWarmLoopsWord]);
    const bool pointer = form == "pointer";
    const std::uint64_t first = read_word64(state, 0);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      std::uint64_t at = path == MemoryPath::scalar ? first : read_word64(state, lane);
      const auto offset = [&] { return pointer ? at - run.address_base : at * run.parameters[kUnitWord]; };
      for (std::uint64_t step = 0; step < steps; ++step) {
        memory.access(0, lane, path, 0, offset(), pointer ? 8 : 4, AccessKind::read);
        std::uint64_t next = 0;
        std::memcpy(&next, chain.data() + offset(), pointer ? 8 : 4);
        at = next;
      }
      const std::uint64_t end = offset();
      std::memcpy(state.data() + lane * sizeof at, &at, sizeof at);
      std::memcpy(out.data() + (kClockWords + lane) * sizeof end, &end, sizeof end);
    }
  };
}

/// The bytes of a constant array that holds the whole chain.
std::vector<std::byte> constant_chain(const Chain& chain, std::uint64_t stride, std::uint32_t unit, std::uint64_t seed) {
  std::vector<std::byte> bytes(chain.nodes() * stride);
  SplitMix64 filler(seed);
  for (std::size_t offset = 0; offset < bytes.size(); offset += 8) {
    const std::uint64_t value = filler();
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }
  for (std::uint64_t position = 0; position < chain.nodes(); ++position) {
    const auto link = static_cast<std::uint32_t>(chain.place(position + 1) * stride / unit);
    std::memcpy(bytes.data() + chain.place(position) * stride, &link, sizeof link);
  }
  return bytes;
}

class Latency final : public Experiment {
 public:
  std::string name() const override { return "latency"; }
  std::string question() const override {
    return "How long does a load take until its value can be used, by the size of the data it walks and by the path it takes?";
  }
  std::string metric() const override { return "load-to-use latency: ns and cycles per load"; }
  std::string operation() const override { return "load"; }

  std::vector<ParameterSpec> parameters() const override {
    std::vector<std::string> names;
    std::string all;
    for (const auto& path : paths()) {
      names.push_back(path.name);
      all += (all.empty() ? "" : ",") + path.name;
    }
    using Type = ParameterSpec::Type;
    return {
        {"path", Type::words, names, all, "memory paths to walk"},
        {"form",
         Type::word,
         {"auto", "pointer", "offset32", "index", "byte-offset"},
         "auto",
         "how a link names the next node; auto: pointer for global, index for the others"},
        {"lanes", Type::word, {"1", "subgroup"}, "1", "invocations that follow the one chain in lockstep"},
        {"order", Type::word, {"random", "sequential"}, "random", "order of the nodes along the chain"},
        {"stride", Type::bytes, {}, "auto", "bytes from node to node; auto: 128 on GPUs, 64 on CPUs and for constant and local"},
        {"min", Type::bytes, {}, "1K", "smallest footprint"},
        {"max",
         Type::bytes,
         {},
         "auto",
         "largest footprint; auto: 64M (quick), else 1G on GPUs of 8 GiB and more and 512M elsewhere, or what the path holds"},
        {"points_per_octave",
         Type::number,
         {},
         "auto",
         "footprints to a doubling before refinement; auto: 1 (quick), 4, 8 (full)"},
        {"subgroup_size", Type::number, {}, "auto", "required subgroup size, where the API allows to choose it"},
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const auto& name : word_list(options.value("path"))) {
      const Path& path = path_named(name);
      const auto& form = options.value("form");
      Point point{this->name(),
                  {{"path", path.name},
                   {"form", form == "auto" ? path.forms.front() : form},
                   {"lanes", options.value("lanes")},
                   {"order", options.value("order")}}};
      const std::uint64_t stride = bytes_or(options, "stride", default_stride(device, path.name));
      point.parameters["stride"] = static_cast<std::int64_t>(stride);
      if (options.value("subgroup_size") != "auto") {
        point.parameters["subgroup_size"] = std::stoll(options.value("subgroup_size"));
      }
      const std::uint64_t min = std::max(bytes_or(options, "min", kKiB), 2 * stride);
      point.parameters["footprint"] = static_cast<std::int64_t>(min);
      const std::uint64_t automatic_max = std::max(min, default_max_bytes(device, options.preset, path.name));
      const std::uint64_t max = std::min(bytes_or(options, "max", automatic_max), path_capacity(device, path.name));
      // What no footprint changes is said once, not at every point.
      if (unsupported(device, point)) {
        points.push_back(point);
        continue;
      }
      const auto sizes = max < min ? std::vector<std::uint64_t>{} : footprints(options, point, min, max, stride, done);
      if (sizes.empty()) {
        throw UsageError(fmt::format("latency, path {}: no footprint between min={} and max={} is a multiple of the stride of {}",
                                     path.name, format_bytes(min), format_bytes(max), format_bytes(stride)));
      }
      for (const std::uint64_t footprint : sizes) {
        point.parameters["footprint"] = static_cast<std::int64_t>(footprint);
        points.push_back(point);
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const auto& name = word(point.parameters, "path");
    const auto& form = word(point.parameters, "form");
    const auto footprint = static_cast<std::uint64_t>(integer(point.parameters, "footprint"));
    const auto stride = static_cast<std::uint64_t>(integer(point.parameters, "stride"));
    const Path& path = path_named(name);
    const bool vulkan = device.api == Api::vulkan;

    if (std::find(path.forms.begin(), path.forms.end(), form) == path.forms.end()) {
      return fmt::format("the {} path has no form '{}' (it has: {})", name, form, fmt::join(path.forms, ", "));
    }
    if (vulkan && form == "byte-offset") return "GLSL has no byte-addressed arrays: an index is always scaled";
    if (path.binding == BindingKind::address && !device.buffer_addresses) return "the device has no buffer addresses";
    if (form == "pointer" && device.address_bits != 64) return fmt::format("pointers have {} bits, not 64", device.address_bits);
    if (vulkan && form == "offset32" && !device.int64) return "the device has no 64-bit integers to add the offset with";
    const bool address = form == "pointer" || (name == "local" && form == "byte-offset");  // of 8 bytes at the most
    const std::uint64_t granule = address ? 8 : name == "constant" ? 16 : 4;
    if (stride % granule != 0) return fmt::format("a stride of {} B is no multiple of the {} B a node needs", stride, granule);
    if (word(point.parameters, "lanes") == "subgroup" && device.subgroup_sizes.empty()) {
      return "the device reports no subgroup size";
    }
    if (const auto size = point.parameters.find("subgroup_size"); size != point.parameters.end()) {
      const auto asked = static_cast<std::uint32_t>(std::get<std::int64_t>(size->second));
      if (!device.subgroup_size_control) return "the API does not let a kernel choose its subgroup size on this device";
      if (std::find(device.subgroup_sizes.begin(), device.subgroup_sizes.end(), asked) == device.subgroup_sizes.end()) {
        return fmt::format("the device has no subgroup size {}", asked);
      }
    }
    const std::uint64_t capacity = path_capacity(device, name);
    if (capacity == 0) return fmt::format("the device has no {} memory", name);
    if (footprint > capacity) return fmt::format("the {} path holds at most {}", name, format_bytes(capacity));
    if (form != "pointer" && footprint > (std::uint64_t{1} << 32)) return "32-bit links reach 4 GiB";
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const auto& name = word(point.parameters, "path");
    const auto& form = word(point.parameters, "form");
    const auto footprint = static_cast<std::uint64_t>(integer(point.parameters, "footprint"));
    const auto stride = static_cast<std::uint64_t>(integer(point.parameters, "stride"));
    const auto order = word(point.parameters, "order") == "random" ? ChainOrder::random : ChainOrder::sequential;
    const Path& path = path_named(name);
    const auto lanes = static_cast<std::uint32_t>(lane_count(device.info(), point));
    const Chain chain(footprint / stride, order, seed);
    const std::uint32_t unit = link_unit(name, form);
    const ChainLayout layout{stride, form == "pointer", static_cast<std::uint32_t>(stride / unit), lanes};

    KernelDesc desc{.name = "latency",
                    .definitions = {{"PATH", path.definition}, {"FORM", form_definition(form)}, {"LANES", std::to_string(lanes)}},
                    .local_size = lanes,
                    .bindings = {},
                    .parameter_words = kParameterWords,
                    .constants = {},
                    .subgroup_size = {},
                    .meaning = chase_meaning(form, path.memory, lanes)};
    if (path.binding) desc.bindings.push_back(*path.binding);
    desc.bindings.insert(desc.bindings.end(), {BindingKind::storage, BindingKind::storage});
    if (name == "local") {
      desc.definitions["LOCAL_WORDS"] = std::to_string(device.info().local_memory_bytes / 4);
      desc.local_size = std::max(lanes, std::min(kLocalGroupSize, device.info().max_group_size));
    }
    if (const auto size = point.parameters.find("subgroup_size"); size != point.parameters.end()) {
      desc.subgroup_size = static_cast<std::uint32_t>(std::get<std::int64_t>(size->second));
    }

    Trial trial;
    trial.control = control(device, desc, path);
    trial.control_clocks = ClockReadings{trial.control->dispatch.bindings.back().buffer, 0};

    const auto state = device.create(BufferDesc{lanes * sizeof(std::uint64_t)});
    const auto out = device.create(BufferDesc{(kClockWords + lanes) * sizeof(std::uint64_t)});
    std::vector<Binding> bindings;
    if (name == "constant") {
      desc.constants = constant_chain(chain, stride, unit, seed);
      const std::vector<std::uint64_t> starts(lanes, std::uint64_t{chain.place(0)} * stride / unit);
      device.write(*state, 0, std::as_bytes(std::span(starts)));
    } else {
      const auto memory = device.create(BufferDesc{footprint});
      trial.setup = build_chain(device, memory, state, chain, layout);
      Binding binding{memory, nullptr};
      if (name == "texture") binding = {nullptr, device.create(ImageDesc{memory, TexelFormat::r32_uint})};
      bindings.push_back(binding);
      if (name != "local" && footprint > kWarmLapBytes) {
        const auto touches = touch_chain(device, binding, *path.binding, chain, layout);
        trial.setup.insert(trial.setup.end(), touches.begin(), touches.end());
      }
    }
    bindings.push_back({state, nullptr});
    bindings.push_back({out, nullptr});

    const std::uint64_t warm_loops =
        footprint <= kWarmLapBytes ? (chain.nodes() + kStepsPerLoop - 1) / kStepsPerLoop : kShortWarmLoops;
    const auto kernel = device.create(desc);
    trial.timed.dispatch = {kernel,
                            bindings,
                            {0, static_cast<std::uint32_t>(warm_loops), static_cast<std::uint32_t>(chain.nodes()),
                             static_cast<std::uint32_t>(stride / 4), unit, kMultiply, kAdd},
                            1};
    trial.timed.loops_word = kLoopsWord;
    trial.timed.ops_per_loop = kStepsPerLoop;
    // The copy into local memory loops too.
    const std::uint64_t other_loops = warm_loops + (name == "local" ? chain.nodes() / desc.local_size + 1 : 0);
    trial.timed.max_loops = max_loops(device.info(), other_loops);
    trial.timed.verify = [out, chain, stride, lanes, warm_loops, walked = std::uint64_t{0}](Device& on,
                                                                                            std::uint64_t loops) mutable {
      walked += (warm_loops + loops) * kStepsPerLoop;
      const std::uint64_t expected = chain.place(walked) * stride;
      std::vector<std::uint64_t> ends(lanes);
      on.read(*out, kClockWords * sizeof(std::uint64_t), std::as_writable_bytes(std::span(ends)));
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (ends[lane] != expected) {
          return Outcome{Status::invalid, fmt::format("lane {} ended at offset {} of the chain instead of {} after {} loads",
                                                      lane, ends[lane], expected, walked)};
        }
      }
      return Outcome{};
    };
    trial.clocks = ClockReadings{out, 0};
    trial.ops_per_lap = chain.nodes();
    if (const auto code = device.code(*kernel); code && code->subgroup_size) {
      trial.observed["subgroup_size"] = std::to_string(*code->subgroup_size);
    }
    return trial;
  }

 private:
  static std::uint64_t max_loops(const DeviceInfo& device, std::uint64_t other_loops) {
    // lavapipe also counts the pass in which each loop ends; a kernel has three at most.
    const std::uint64_t limit = device.max_loop_iterations.value_or(UINT32_MAX) - 3;
    return limit > other_loops ? limit - other_loops : 1;
  }

  /// The sweep's footprints: the preset's grid, then what the finished points call for, generation by generation.
  std::vector<std::uint64_t> footprints(const Options& options, Point point, std::uint64_t min, std::uint64_t max,
                                        std::uint64_t stride, std::span<const PointResult> done) const {
    const unsigned automatic = options.preset == Preset::quick ? 1 : options.preset == Preset::standard ? 4 : 8;
    const auto& wanted = options.value("points_per_octave");
    const unsigned per_octave = wanted == "auto" ? automatic : static_cast<unsigned>(std::stoul(wanted));
    auto sizes = octave_grid(min, max, per_octave, stride);
    if (options.preset == Preset::quick) return sizes;

    std::map<std::int64_t, const PointResult*> by_footprint;
    point.parameters.erase("footprint");
    for (const auto& result : done) {
      Parameters others = result.point.parameters;
      others.erase("footprint");
      if (result.point.experiment == name() && others == point.parameters) {
        by_footprint[integer(result.point.parameters, "footprint")] = &result;
      }
    }
    const std::size_t most = (options.preset == Preset::full ? 4 : 1) * kMaxRefined;
    const std::size_t limit = sizes.size() + most;
    for (;;) {
      std::vector<CurvePoint> curve;
      for (const std::uint64_t size : sizes) {
        const auto found = by_footprint.find(static_cast<std::int64_t>(size));
        if (found == by_footprint.end()) return sizes;  // this generation is still to be measured
        const auto& measurement = found->second->measurement;
        if (found->second->outcome.status != Status::ok || !measurement) continue;
        const Summary& ns = measurement->statistics.at("ns_per_op");
        curve.push_back({size, ns.median, ns.mad});
      }
      const auto added = refine(curve, {.step = 0.1,
                                        .finest_ratio = options.preset == Preset::full ? 1.03 : 1.06,
                                        .multiple = stride,
                                        .most = std::min(most / 3, limit - sizes.size())});
      if (added.empty()) return sizes;
      sizes.insert(sizes.end(), added.begin(), added.end());
      std::sort(sizes.begin(), sizes.end());
    }
  }

  /// The same kernel with CONTROL: what the loop and the form's address arithmetic cost. Its end value is checked like the chase's.
  static LoopedDispatch control(Device& device, KernelDesc desc, const Path& path) {
    const bool per_step = desc.definitions.at("FORM") == "FORM_INDEX";
    const std::uint32_t lanes = static_cast<std::uint32_t>(std::stoul(desc.definitions.at("LANES")));
    desc.definitions["CONTROL"] = "1";
    if (path.memory == MemoryPath::constant) desc.constants.assign(16, std::byte{});  // declared, never read
    desc.meaning = [per_step, lanes](const Execution& run, MemoryModel&) {
      const auto state = run.bindings[run.bindings.size() - 2];
      const auto out = run.bindings.back();
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t end = multiply_add_chain(static_cast<std::uint32_t>(read_word64(state, lane)), kMultiply, kAdd,
                                                     run.parameters[kLoopsWord] * (per_step ? kStepsPerLoop : 1));
        std::memcpy(state.data() + lane * sizeof end, &end, sizeof end);
        std::memcpy(out.data() + (kClockWords + lane) * sizeof end, &end, sizeof end);
      }
    };
    const auto state = device.create(BufferDesc{lanes * sizeof(std::uint64_t)});
    const auto out = device.create(BufferDesc{(kClockWords + lanes) * sizeof(std::uint64_t)});
    const std::vector<std::uint64_t> zeros(lanes);
    device.write(*state, 0, std::as_bytes(std::span(zeros)));

    LoopedDispatch control;
    control.dispatch = {device.create(desc), {}, {0, 0, 0, 0, 1, kMultiply, kAdd}, 1};
    if (path.binding) {
      // Bound because the kernel declares it; never read.
      const auto unread = device.create(BufferDesc{256});
      control.dispatch.bindings.push_back(*path.binding == BindingKind::texel
                                              ? Binding{nullptr, device.create(ImageDesc{unread, TexelFormat::r32_uint})}
                                              : Binding{unread, nullptr});
    }
    control.dispatch.bindings.push_back({state, nullptr});
    control.dispatch.bindings.push_back({out, nullptr});
    control.loops_word = kLoopsWord;
    control.ops_per_loop = kStepsPerLoop;
    control.max_loops = max_loops(device.info(), 0);
    control.verify = [out, per_step, lanes, value = std::uint32_t{0}](Device& on, std::uint64_t loops) mutable {
      value = multiply_add_chain(value, kMultiply, kAdd, loops * (per_step ? kStepsPerLoop : 1));
      std::vector<std::uint64_t> ends(lanes);
      on.read(*out, kClockWords * sizeof(std::uint64_t), std::as_writable_bytes(std::span(ends)));
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
};

const RegisterExperiment registered(std::make_unique<Latency>());

}  // namespace
}  // namespace percycle

#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/figures.hpp"
#include "json/fields.hpp"
#include "store/record.hpp"

// The members of each line of a record file, of its parts, and of the workers' messages. Each is
// declared once, here. See json/fields.hpp.

namespace percycle {

inline constexpr Rule kText{.fewest = 1};
inline constexpr Rule kTime{.about = "UTC", .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"};
inline constexpr Rule kPositive{.above = 0};
inline constexpr Rule kNotNegative{.at_least = 0};
inline constexpr Rule kAtLeastOne{.at_least = 1};
inline constexpr std::size_t kLongestName = 200;
inline constexpr Rule kName{.about = "of experiments and parameters", .longest = kLongestName, .pattern = "^[a-z0-9_-]+$"};
// Longer ones are no names, and slow to search.
inline constexpr Rule kDriversText{.longest = 1000};
inline constexpr Rule kMachineName{.longest = kLongestName, .pattern = "^[a-z0-9_]+$"};
inline constexpr Rule kHeaderId{.pattern = "^[0-9a-f]{16}$"};
inline constexpr Rule kNames{.each = &kName};
inline constexpr Rule kTexts{.each = &kText};
inline constexpr Rule kParameters{.each = &kNotNegative, .names = &kName};

// --- Devices ---

template <typename T>
concept SourcedNumber = Like<T, Sourced<double>> || Like<T, Sourced<std::uint32_t>>;

void fields(auto& v, SourcedNumber auto& sourced) {
  constexpr bool kWhole = std::is_integral_v<decltype(sourced.value)>;
  v.called(kWhole ? "sourced_whole" : "sourced_number");
  v.required("value", sourced.value, kWhole ? kAtLeastOne : kPositive);
  v.required("provenance", sourced.provenance);
}

void fields(auto& v, Like<KernelClock> auto& clock) {
  v.called("kernel_clock");
  v.required("name", clock.name, kText);
  v.required("device_wide", clock.device_wide);
  v.optional("tick_ns", clock.tick_ns, kPositive);
}

void fields(auto& v, Like<MatrixShape> auto& shape) {
  v.required("rows", shape.rows, kAtLeastOne);
  v.required("columns", shape.columns, kAtLeastOne);
  v.required("depth", shape.depth, kAtLeastOne);
  v.required("factors", shape.factors, kMachineName);
  v.required("sums", shape.sums, kMachineName);
  v.optional("invocations", shape.invocations, kAtLeastOne);
}

void fields(auto& v, Like<PeerDevice> auto& peer) {
  v.called("peer");
  v.required("index", peer.index);
  v.required("name", peer.name, kDriversText);
  v.optional("pci", peer.pci, kText);
}

void fields(auto& v, Like<DeviceInfo> auto& info) {
  v.called("device");
  v.required("api", info.api);
  v.required("index", info.index);
  v.optional("driver_manifest", info.driver_manifest, kText);
  v.optional("model", info.model, kText.with("of a simulated device: its selector after sim:"));
  v.required("open_index", info.open_index);

  v.required("name", info.name, kDriversText);
  v.required("vendor", info.vendor, kDriversText);
  v.required("vendor_id", info.vendor_id);
  v.required("type", info.type);
  v.required("platform", info.platform, kDriversText);
  v.required("api_version", info.api_version, kDriversText);
  v.required("driver", info.driver, kDriversText);

  v.optional("uuid", info.uuid, {.pattern = "^[0-9a-fA-F]{32}$"});
  v.optional("pci", info.pci, kText);
  v.optional("compute_capability", info.compute_capability, kText);
  // Absent through OpenCL and in records of earlier versions.
  v.optional("queue", info.queue, kText.with("Vulkan's queue of the kernels: its family and what it does"));

  // Absent if there are none and in records of earlier versions.
  v.optional("peers", info.peers);

  v.optional("units", info.units);
  v.optional("clock_mhz", info.clock_mhz);
  v.optional("memory_bytes", info.memory_bytes, kAtLeastOne);
  v.optional("max_allocation_bytes", info.max_allocation_bytes, kAtLeastOne);
  // Absent if there are none and in records of earlier versions.
  v.flags("memory_features", {{"shared-with-host", info.shares_host_memory}});
  v.optional("cache_bytes", info.cache_bytes, kAtLeastOne);
  v.optional("cache_line_bytes", info.cache_line_bytes, kAtLeastOne);
  v.required("local_memory_bytes", info.local_memory_bytes);
  v.required("constant_bytes", info.constant_bytes);
  // Absent in records of earlier versions.
  v.optional("constant_buffers", info.constant_buffers, kAtLeastOne.with("of that size, in one kernel; absent: one"));
  v.required("max_texel_elements", info.max_texel_elements);
  // Absent in records of earlier versions.
  v.optional("max_image_side", info.max_image_side,
             kAtLeastOne.with("of an image of two dimensions, in texels; absent: unknown"));
  v.required("max_storage_bytes", info.max_storage_bytes);
  v.required("max_group_size", info.max_group_size);
  v.required("max_groups", info.max_groups);
  v.required("max_parameter_bytes", info.max_parameter_bytes);
  v.required("subgroup_sizes", info.subgroup_sizes, {.each = &kAtLeastOne});
  v.required("subgroup_size_control", info.subgroup_size_control);
  v.optional("max_subgroups", info.max_subgroups, kAtLeastOne.with("of a work-group whose subgroups have a required size"));
  v.required("address_bits", info.address_bits);
  v.required("buffer_addresses", info.buffer_addresses);
  v.required("int64", info.int64);
  // Absent if there are none and in records of earlier versions.
  v.flags("floats", {{"fp64", info.fp64}, {"fp16", info.fp16}});
  v.flags("integers", {{"int16", info.int16}, {"int8", info.int8}, {"dot-product", info.dot_product}});
  v.flags("subgroup_operations", {{"vote", info.subgroup_operations.vote},
                                  {"ballot", info.subgroup_operations.ballot},
                                  {"broadcast", info.subgroup_operations.broadcast},
                                  {"shuffle", info.subgroup_operations.shuffle},
                                  {"reduction", info.subgroup_operations.reduction}});
  v.optional("matrix_shapes", info.matrix_shapes);
  // Flags besides those of 32-bit integers; absent if there are none and in records of earlier
  // versions.
  v.flags("global_atomics", {{"int64", info.global_atomics.int64}, {"float-add", info.global_atomics.float_add}});
  v.flags("local_atomics", {{"int64", info.local_atomics.int64}, {"float-add", info.local_atomics.float_add}});

  v.optional("timer_period_ns", info.timer_period_ns, kPositive);
  v.optional("timer_valid_bits", info.timer_valid_bits);
  v.optional("unit_clock", info.unit_clock);
  v.optional("device_clock", info.device_clock);
  v.optional("unit_id", info.unit_id, kText.with("how a kernel reads the number of the unit that runs it"));

  v.optional("max_loop_iterations", info.max_loop_iterations, kAtLeastOne);
  // Absent for a whole card and in records of earlier versions.
  v.optional("part", info.part, kText.with("the kind of part of a card: MIG slice, vGPU, partition"));
  v.optional("compile_only", info.compile_only, kText);
  v.required("lacks", info.lacks, kTexts);

  const bool is_sim = info.api == Api::sim;
  constexpr const char* kSchema = R"({"if": {"required": ["api"], "properties": {"api": {"const": "sim"}}},
                                      "then": {"required": ["model"]}, "else": {"not": {"required": ["model"]}}})";
  v.also(!is_sim || !info.model.empty(), "", "'model' is missing", kSchema);
  v.also(is_sim || info.model.empty(), "", "cannot have model");
}

void fields(auto& v, Like<EnumerationProblem> auto& problem) {
  v.required("api", problem.api);
  v.required("where", problem.where);
  v.required("message", problem.message);
}

// --- Headers ---

void fields(auto& v, Like<RunOptions> auto& options) {
  v.called("options");
  v.required("experiments", options.experiments, kNames);
  v.required("preset", options.preset, kText);
  v.required("set", options.set);
  v.required("seed", options.seed);
}

inline constexpr std::array<std::string_view, 3> kSources{"measured", "simulated", "published"};

inline std::string_view source_word(const Header& header) {
  return kSources[header.published() ? 2 : header.simulated() ? 1 : 0];
}

/// The members that all headers begin with.
void begin_fields(auto& v, auto& header, std::string& source) {
  v.constant("kind", "header");
  v.constant("schema", kSchemaVersion);
  v.required("source", source,
             {.about = "simulated: computed from a model of a device, not measured; exactly the runs whose device.api is sim. "
                       "published: figures from a document, not measured by percycle",
              .one_of = kSources});
  v.required("id", header.id, kHeaderId);
}

void fields(auto& v, Like<DeviceCheck> auto& check) {
  v.called("device_check");
  v.required("name", check.name, kText);
  v.required("verdict", check.verdict);
  v.required("text", check.text, kText);
  v.optional("made", check.made, kTime.with("by doctor, before the run; absent: by the run itself"));
}

void run_fields(auto& v, Like<Header> auto& header) {
  v.called("run_header");
  std::string source(source_word(header));
  begin_fields(v, header, source);
  v.required("created", header.created, kTime);
  v.object("tool", [&](auto& tool) {
    tool.constant("name", "percycle");
    tool.required("version", header.tool_version, kText);
    tool.optional("commit", header.tool_commit, kText);
  });
  v.required("os", header.os);
  v.required("device", header.device);
  v.required("identity", header.identity, kText);
  v.optional("architecture", header.architecture, kText);
  v.required("unit_name", header.unit_name);
  v.optional("reported_units", header.reported_units,
             kAtLeastOne.with("by the driver, if the units of the device are counted by time"));
  v.optional("catalogue_units", header.catalogue_units, kAtLeastOne.with("of the card, by percycle's catalogue"));
  v.optional("checks", header.checks);
  v.required("options", header.options);
  v.required("kernels_hash", header.kernels_hash, kText);
  v.also(source == source_word(header), "source", "does not fit the device's API",
         R"({"if": {"properties": {"source": {"const": "simulated"}}},
             "then": {"properties": {"device": {"properties": {"api": {"const": "sim"}}}}},
             "else": {"properties": {"device": {"properties": {"api": {"enum": ["opencl", "vulkan"]}}}}}})");
}

inline const Publication& publication(const Header& header) { return header.publication.value(); }
inline Publication& publication(Header& header) {
  return header.publication ? *header.publication : header.publication.emplace();
}

void published_fields(auto& v, Like<Header> auto& header) {
  v.called("published_header");
  auto& from = publication(header);
  std::string source(source_word(header));
  begin_fields(v, header, source);
  v.object("citation", [&](auto& citation) {
    citation.required("document", from.document, kText.with("authors and title"));
    citation.required("place", from.place, kText.with("table, figure or section"));
    citation.required("year", from.year, kAtLeastOne);
    citation.optional("prose", from.prose, {.about = "whether the text or a caption has the figures; absent or false: a table"});
  });
  v.required("printed_unit", from.printed_unit, kText.with("of the figures, as the document words it"));
  v.required("method", from.method, kText.with("how they were measured, in a sentence"));
  v.optional("toolchain", from.toolchain, kText.with("API or compiler, if the document names it"));
  v.object("device", [&](auto& device) {
    device.required("name", header.device.name,
                    {.about = "as the document has it", .fewest = 1, .longest = kDriversText.longest});
    device.required("vendor", header.device.vendor, kText);
    device.optional("units", header.device.units);
  });
  v.optional("unit_name", header.unit_name, kText);
}

void fields(auto& v, Like<Header> auto& header) {
  v.called("header");
  v.either(
      {"source", {"published"}}, header.published(), [&](auto& form) { published_fields(form, header); },
      [&](auto& form) { run_fields(form, header); });
}

// --- Machine code ---

inline constexpr std::array<std::string_view, 3> kAccessKinds{"load", "store", "atomic"};
inline constexpr std::array<std::string_view, 5> kAccessSpaces{"vector", "scalar", "texture", "local", "scratch"};

void fields(auto& v, Like<CodeAccess> auto& access) {
  v.required("kind", access.kind, {.one_of = kAccessKinds});
  v.required("space", access.space, {.one_of = kAccessSpaces});
  v.required("bytes", access.bytes);
  v.required("count", access.count);
  v.where(access.kind == "atomic", "returns", access.returns);
  v.also(
      true, "", "",
      R"({"if": {"properties": {"kind": {"const": "atomic"}}}, "then": {"required": ["returns"]}, "else": {"not": {"required": ["returns"]}}})");
}

void fields(auto& v, Like<CodeInstruction> auto& instruction) {
  v.required("name", instruction.name, kText);
  v.required("count", instruction.count, kAtLeastOne);
}

void fields(auto& v, Like<CodeCounts> auto& counts) {
  v.called("code_counts", "instructions by kind; alu_per_access: alu and scalar_alu per measured access");
  v.required("accesses", counts.accesses);
  v.required("alu", counts.alu);
  v.required("scalar_alu", counts.scalar_alu);
  v.required("branches", counts.branches);
  v.optional("calls", counts.calls);
  v.optional("alu_per_access", counts.alu_per_access, kNotNegative);
  v.optional("instructions", counts.instructions);
}

void fields(auto& v, Like<Codegen> auto& codegen) {
  v.called(
      "codegen",
      "the compiled code of the timed kernel: numbers from its driver, and the content of its timed loop (of the whole kernel "
      "if it has no loop)");
  v.optional("form", codegen.form, kText);
  v.optional("missing", codegen.missing, kText);
  v.optional("registers", codegen.registers);
  v.optional("spills", codegen.spills);
  v.optional("scratch_bytes", codegen.scratch_bytes);
  v.optional("code_bytes", codegen.code_bytes, kAtLeastOne.with("from the first to the last of the most frequent instruction"));
  v.by_flag({"loop", "all"}, codegen.whole, codegen.counts);
  v.optional("note", codegen.note, kText.with("instructions per operation, if not one; or the form of branches"));
  v.optional("same_as_optimized", codegen.same_as_optimized);
}

// --- Measurements ---

void fields(auto& v, Like<GroupClocks::Range> auto& range) {
  v.required("median", range.median, kPositive);
  v.required("min", range.min, kPositive);
  v.required("max", range.max, kPositive);
}

void fields(auto& v, Like<GroupClocks> auto& groups) {
  v.called("groups",
           "clock readings of the dispatch's work-groups, reduced; ticks: of each unit's counter from the first start to the "
           "last end on the unit, or of each group's counter if units have no numbers");
  v.required("groups", groups.groups, kAtLeastOne);
  v.optional("units", groups.units, kAtLeastOne.with("that the groups ran on"));
  v.optional("span_ns", groups.span_ns, kPositive);
  v.optional("ticks", groups.ticks);
  v.optional("ticks_per_ns", groups.ticks_per_ns, kPositive);
  v.optional("groups_per_tick", groups.groups_per_tick, kPositive.with("of a unit: the mean of the units"));
  v.optional("groups_at_once", groups.groups_at_once, kPositive.with("on a unit: the median of the units"));
  v.optional("most_at_once", groups.most_at_once, kAtLeastOne.with("on one unit at one moment: the most of all units"));
}

void fields(auto& v, Like<Traffic> auto& traffic) {
  v.called("traffic", "data that other work-groups moved while the timed part ran");
  v.required("bytes", traffic.bytes);
  v.required("groups", traffic.groups);
}

void fields(auto& v, Like<PairTimes> auto& pair) {
  v.called("pair", "two launches of a kernel that may overlap");
  v.required("alone_ns", pair.alone_ns, kPositive.with("of one launch"));
  v.required("both_ns", pair.both_ns, kPositive.with("from the start of the first to the end of the last"));
  v.optional("first_ns", pair.first_ns, kPositive);
  v.optional("second_ns", pair.second_ns, kPositive);
}

void fields(auto& v, Like<Sample> auto& sample) {
  v.called("sample");
  v.required("ops", sample.ops, kAtLeastOne);
  v.required("host_ns", sample.timing.host_ns, kPositive);
  v.optional("device_ns", sample.timing.device_ns, kPositive);
  v.optional("ticks", sample.clock.ticks);
  v.optional("realtime_ns", sample.clock.realtime_ns, kNotNegative);
  v.optional("groups", sample.groups);
  v.optional("traffic", sample.traffic);
  v.optional("pair", sample.pair);
  v.optional("end_ns", sample.end_ns, kPositive.with("of the sample, since the sustained load began"));
  v.optional("load_ops", sample.load_ops, kAtLeastOne.with("operations of the sustained load until the sample's end"));
  v.also(sample.end_ns.has_value() == sample.load_ops.has_value(), "", "'end_ns' and 'load_ops' go together",
         R"({"dependentRequired": {"end_ns": ["load_ops"], "load_ops": ["end_ns"]}})");
}

/// One statistic. In a run it has all members.
void summary_fields(auto& v, Like<Summary> auto& summary, bool is_positive, bool is_whole) {
  v.called(std::string(is_whole ? "" : "published_") + (is_positive ? "positive_summary" : "summary"));
  const auto more = [&](const char* name, auto& value, const Rule& rule) {
    is_whole ? v.required(name, value, rule) : v.optional(name, value, rule);
  };
  v.required("median", summary.median, is_positive ? kPositive : kNoRule);
  more("mad", summary.mad, kNotNegative);
  more("min", summary.min, kNoRule);
  more("max", summary.max, is_positive ? kPositive : kNoRule);
  more("n", summary.n, kAtLeastOne);
}

void fields(auto& v, Like<Summary> auto& summary) { summary_fields(v, summary, false, false); }

void statistics_fields(auto& v, Like<Measurement> auto& measurement, bool is_whole) {
  v.object("statistics", [&](auto& statistics) {
    statistics.entries(measurement.statistics, kMachineName, positive_statistics(),
                       [&](auto& each, std::string_view name, auto& summary) {
                         summary_fields(each, summary, figure_called(name).is_positive, is_whole);
                       });
  });
}

void fields(auto& v, Like<TelemetrySample> auto& sample) {
  v.required("ns", sample.ns, kNotNegative);
  v.optional("clock_mhz", sample.reading.clock_mhz, kPositive);
  v.optional("power_w", sample.reading.power_w);
  v.optional("temperature_c", sample.reading.temperature_c);
  v.optional("energy_j", sample.reading.energy_j, kNotNegative.with("by the card's counter, from any origin"));
  v.also(!sample.reading.is_empty(), "", "1 members, not at least 2", R"({"minProperties": 2})");
}

void fields(auto& v, Like<AluChainRun> auto& run) {
  v.required("ops", run.ops, kAtLeastOne);
  v.required("ns", run.ns, kPositive);
}

void fields(auto& v, Like<AluChainRuns> auto& chain) {
  v.called("alu_chain",
           "runs of dependent arithmetic operations before and after the samples; cycles_per_op: latency of one, as published");
  v.required("cycles_per_op", chain.cycles_per_op, kPositive);
  v.required("runs", chain.runs, {.fewest = 1});
}

void fields(auto& v, Like<Work> auto& work) {
  v.called("work", "bytes that one operation moves when every invocation does it once");
  v.required("bytes_per_op", work.bytes_per_op, kAtLeastOne);
  v.required("group_bytes_per_op", work.group_bytes_per_op, kAtLeastOne);
}

void fields(auto& v, Like<Participants> auto& lanes) {
  v.called("participants", "invocations that each perform every counted operation: in the dispatch and in one work-group");
  v.required("dispatch", lanes.dispatch, kAtLeastOne);
  v.required("group", lanes.group, kAtLeastOne);
}

void run_fields(auto& v, Like<Measurement> auto& measurement) {
  v.called("run_measurement", "samples and all of each statistic");
  v.required("samples", measurement.samples);
  v.optional("control_samples", measurement.control_samples, {.fewest = 1});
  v.optional("idle_ns", measurement.idle_ns, kNotNegative);
  v.optional("control_share", measurement.control_share, kPositive);
  v.also(measurement.control_share.value_or(0) < 1, "control_share", "must be below 1");
  v.required("time_source", measurement.time_source, kText);
  statistics_fields(v, measurement, true);
  v.optional("clock_mhz", measurement.clock_mhz);
  v.optional(
      "clocks_mhz", measurement.clocks_mhz,
      {.about = "the core clock during the samples by every source, most trusted first; the first is clock_mhz", .fewest = 1});
  v.optional("telemetry", measurement.telemetry,
             {.about = "telemetry during the samples, one reading per refresh; ns since the first reading, which is older than "
                       "the samples",
              .fewest = 1});
  v.optional("alu_chain", measurement.alu_chain);
  v.optional("counter_mhz", measurement.counter_mhz, kPositive);
  v.optional("work", measurement.work);
  v.optional("participants", measurement.participants);
  v.optional(
      "series", measurement.series,
      {.about = "values that a kernel recorded for single operations, by name: one row per sample, e.g. ticks of each access",
       .fewest = 1,
       .names = &kMachineName});
  v.optional("share_walked", measurement.share_walked, kPositive);
  v.optional("observed", measurement.observed);
  v.required("verified_samples", measurement.verified_samples);
  v.optional("codegen", measurement.codegen);
  v.optional("warnings", measurement.warnings, kTexts);
  v.also(!measurement.codegen || *measurement.codegen != Codegen{}, "codegen", "0 members, not at least 1",
         R"({"properties": {"codegen": {"minProperties": 1}}})");
}

void published_fields(auto& v, Like<Measurement> auto& measurement) {
  v.called("published_measurement", "statistics and the document's remarks, no data of a run");
  statistics_fields(v, measurement, false);
  v.optional("clock_mhz", measurement.clock_mhz);
  v.optional("warnings", measurement.warnings, kTexts);
  v.optional("printed", measurement.printed,
             {.about = "as printed: figures that are more than a number in printed_unit (~188, 57 KiB), by the name of the "
                       "statistic, and the document's own limits: limit_gb_per_s, limit_bytes_per_unit_cycle, efficiency",
              .fewest = 1,
              .each = &kText,
              .names = &kMachineName});
  v.also(!measurement.clock_mhz || measurement.clock_mhz->provenance == Provenance::published, "clock_mhz",
         "its provenance is not published",
         R"({"properties": {"clock_mhz": {"properties": {"provenance": {"const": "published"}}}}})");
}

void fields(auto& v, Like<Measurement> auto& measurement) {
  v.called("measurement");
  v.either(
      {{}, {"statistics", "clock_mhz", "printed", "warnings"}}, is_published(measurement),
      [&](auto& form) { published_fields(form, measurement); }, [&](auto& form) { run_fields(form, measurement); });
}

// --- Points ---

void fields(auto& v, Like<Outcome> auto& outcome) {
  v.called("outcome");
  v.required("status", outcome.status);
  v.optional("reason", outcome.reason, kText);
  const bool is_ok = outcome.status == Status::ok;
  constexpr const char* kSchema = R"({"if": {"properties": {"status": {"const": "ok"}}},
                                      "then": {"not": {"required": ["reason"]}}, "else": {"required": ["reason"]}})";
  v.also(is_ok || !outcome.reason.empty(), "", "'reason' is missing", kSchema);
  v.also(!is_ok || outcome.reason.empty(), "", "cannot have reason");
}

void fields(auto& v, Like<Point> auto& point) {
  v.required("experiment", point.experiment, kName);
  v.required("parameters", point.parameters, kParameters);
  const auto footprint = point.parameters.find("footprint");
  const auto* bytes = footprint == point.parameters.end() ? nullptr : std::get_if<std::int64_t>(&footprint->second);
  v.also(bytes == nullptr || *bytes > 0, "parameters", "a footprint below 1 byte",
         R"({"properties": {"parameters": {"properties": {"footprint": {"minimum": 1}}}}})");
}

void fields(auto& v, Like<PointResult> auto& result) {
  fields(v, result.point);
  v.required("outcome", result.outcome);
  v.optional("seconds", result.seconds, kPositive.with("wall-clock time, compilation included"));
  v.optional("compile_seconds", result.compile_seconds,
             kPositive.with("time before the point in which kernels were compiled and their machine code was read"));
  v.optional("measurement", result.measurement);

  const bool is_ok = result.outcome.status == Status::ok;
  const Measurement* const made = result.measurement ? &*result.measurement : nullptr;
  const bool is_run = made != nullptr && !is_published(*made);
  constexpr const char* kSchema = R"({"if": {"properties": {"outcome": {"properties": {"status": {"const": "ok"}}}}},
      "then": {"required": ["measurement"], "properties": {"measurement": {"properties": {"samples": {"minItems": 1}, "statistics": {"minProperties": 1}}}}},
      "else": {"properties": {"measurement": {"required": ["samples"], "properties": {"statistics": {"maxProperties": 0}}}}}})";
  v.also(!is_ok || made != nullptr, "", "'measurement' is missing", kSchema);
  v.also(!is_ok || !is_run || !made->samples.empty(), "measurement.samples", "0 items, not at least 1");
  v.also(!is_ok || made == nullptr || !made->statistics.empty(), "measurement.statistics", "0 members, not at least 1");
  v.also(is_ok || made == nullptr || is_run, "measurement", "'samples' is missing");
  v.also(is_ok || made == nullptr || made->statistics.empty(), "measurement.statistics", "only an ok point has any");
}

// --- Lines ---

void fields(auto& v, Like<Started> auto& line) {
  v.called("started");
  v.constant("kind", "started");
  v.required("header", line.header, kHeaderId);
  fields(v, line.point);
}

void fields(auto& v, Like<Interrupted> auto& line) {
  v.called("interrupted");
  v.constant("kind", "interrupted");
  v.required("header", line.header, kHeaderId);
  fields(v, line.point);
}

void fields(auto& v, Like<PointRecord> auto& line) {
  v.called("point");
  v.constant("kind", "point");
  v.required("header", line.header, kHeaderId);
  fields(v, line.result);
}

}  // namespace percycle

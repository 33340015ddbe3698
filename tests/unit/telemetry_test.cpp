#include "device/telemetry/telemetry.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <map>
#include <thread>

#include "check_words.hpp"
#include "device/telemetry/amdgpu.hpp"
#include "device/telemetry/intel.hpp"
#include "device/telemetry/nvml.hpp"
#include "device/telemetry/sampler.hpp"
#include "test_system.hpp"
#include "unit/store_examples.hpp"

namespace percycle::telemetry::telemetry_test {
namespace {

DeviceInfo gpu(const char* vendor) {
  DeviceInfo info;
  info.type = DeviceType::gpu;
  info.vendor = vendor;
  info.pci = "0000:3b:00.0";
  info.uuid = "00112233445566778899aabbccddeeff";
  return info;
}

/// "1980 MHz 700.5 W 45 C", a dash for absent values.
std::string text(const TelemetryReading& reading) {
  const auto each = [](std::optional<double> value, const char* unit) {
    return value ? fmt::format("{:.6g} {}", *value, unit) : fmt::format("- {}", unit);
  };
  return fmt::format("{} {} {}", each(reading.clock_mhz, "MHz"), each(reading.power_w, "W"), each(reading.temperature_c, "C"));
}

std::string text(const FoundReader& found) {
  return found.reader ? found.source + ": " + text(found.reader->read()) : "none: " + found.reason;
}

// NVML --------------------------------------------------------------------------------------

/// The answers of the test's library: 0 is success, as in NVML.
struct FakeNvml {
  int init = 0, by_pci = 0, by_uuid = 0, clock = 0, power = 0, temperature = 0;
  unsigned mhz = 1980, milliwatts = 700500, degrees = 45;
  std::vector<unsigned> compute{4711}, graphics{};  ///< process ids
  unsigned mig = 0, limit_mw = 700000, default_mw = 700000;
  int virtualization = 0, display_active = 0, ecc = 1;
  unsigned long long reasons = 0;
  int capability = 0, energy = 0;
  std::string queries{};
  int device = 0;
};
FakeNvml nvml;

int listed(const std::vector<unsigned>& pids, unsigned* count, void* list) {
  auto* processes = static_cast<NvmlProcess*>(list);
  for (std::size_t i = 0; i < pids.size(); ++i) processes[i].pid = pids[i];
  *count = static_cast<unsigned>(pids.size());
  return 0;
}

constexpr NvmlFunctions kFunctions{
    .init = [] { return nvml.init; },
    .handle_by_pci =
        [](const char* bus_id, void** device) {
          nvml.queries += fmt::format("pci {};", bus_id);
          if (nvml.by_pci == 0) *device = &nvml.device;
          return nvml.by_pci;
        },
    .handle_by_uuid =
        [](const char* uuid, void** device) {
          nvml.queries += fmt::format("uuid {};", uuid);
          if (nvml.by_uuid == 0) *device = &nvml.device;
          return nvml.by_uuid;
        },
    .clock_info =
        [](void* device, int type, unsigned* mhz) {
          if (device != &nvml.device || type != 1) return 2;  // NVML_CLOCK_SM
          *mhz = nvml.mhz;
          return nvml.clock;
        },
    .power_usage =
        [](void*, unsigned* milliwatts) {
          *milliwatts = nvml.milliwatts;
          return nvml.power;
        },
    .temperature =
        [](void*, int sensor, unsigned* degrees) {
          if (sensor != 0) return 2;  // NVML_TEMPERATURE_GPU
          *degrees = nvml.degrees;
          return nvml.temperature;
        },
    .error_string = [](int result) { return result == 3 ? "Not Supported" : "Unknown Error"; },
    .compute_processes = [](void*, unsigned* count, void* list) { return listed(nvml.compute, count, list); },
    .graphics_processes = [](void*, unsigned* count, void* list) { return listed(nvml.graphics, count, list); },
    .mig_mode = [](void*, unsigned* current, unsigned*) { return (*current = nvml.mig, 0); },
    .virtualization = [](void*, int* mode) { return (*mode = nvml.virtualization, 0); },
    .display_active = [](void*, int* active) { return (*active = nvml.display_active, 0); },
    .ecc_mode = [](void*, int* current, int*) { return (*current = nvml.ecc, 0); },
    .power_limit = [](void*, unsigned* milliwatts) { return (*milliwatts = nvml.limit_mw, 0); },
    .default_power_limit = [](void*, unsigned* milliwatts) { return (*milliwatts = nvml.default_mw, 0); },
    .throttle_reasons = [](void*, unsigned long long* reasons) { return (*reasons = nvml.reasons, 0); },
    .compute_capability = [](void* device, int* major,
                             int* minor) { return device == &nvml.device ? (*major = 9, *minor = 1, nvml.capability) : 2; },
};

/// "display none, ecc on, ...; warning; ..."
std::string text(const Conditions& conditions) {
  std::vector<std::string> observed;
  for (const auto& [name, value] : conditions.observed) observed.push_back(name + ' ' + value);
  std::string text = fmt::format("{}", fmt::join(observed, ", "));
  for (const std::string& warning : conditions.warnings) text += "; " + warning;
  return text;
}

std::string nvml_says(const FakeNvml& script, const DeviceInfo& device = gpu("NVIDIA")) {
  nvml = script;
  return text(open_nvml(device, kFunctions));
}

TEST_CASE("NVML: the device is found by its PCI address, else by its UUID") {
  CHECK(nvml_says({}) == "NVML: 1980 MHz 700.5 W 45 C");
  CHECK(nvml.queries == "pci 0000:3b:00.0;");
  CHECK(nvml_says({.by_pci = 6}) == "NVML: 1980 MHz 700.5 W 45 C");
  CHECK(nvml.queries == "pci 0000:3b:00.0;uuid GPU-00112233-4455-6677-8899-aabbccddeeff;");
  DeviceInfo no_pci = gpu("NVIDIA");
  no_pci.pci.reset();
  CHECK(nvml_says({}, no_pci) == "NVML: 1980 MHz 700.5 W 45 C");
  CHECK(nvml.queries == "uuid GPU-00112233-4455-6677-8899-aabbccddeeff;");
}

TEST_CASE("NVML: the counter of energy, where the library has it") {
  nvml = {};
  NvmlFunctions functions = kFunctions;
  CHECK_FALSE(open_nvml(gpu("NVIDIA"), functions).reader->energy_j());
  functions.total_energy = [](void*, unsigned long long* millijoules) { return (*millijoules = 1234567, nvml.energy); };
  CHECK(open_nvml(gpu("NVIDIA"), functions).reader->energy_j() == 1234.567);
  nvml.energy = 3;
  CHECK_FALSE(open_nvml(gpu("NVIDIA"), functions).reader->energy_j());
}

TEST_CASE("NVML: failing values are absent, with a reason if all fail") {
  CHECK(nvml_says({.power = 3}) == "NVML: 1980 MHz - W 45 C");
  CHECK(nvml_says({.clock = 3}) == "NVML: - MHz 700.5 W 45 C");
  CHECK(nvml_says({.temperature = 3}) == "NVML: 1980 MHz 700.5 W - C");
  CHECK(nvml_says({.mhz = 0}) == "NVML: - MHz 700.5 W 45 C");
  CHECK_WORDS("telemetry.nvml-empty", nvml_says({.clock = 3, .power = 3, .temperature = 3}));
  CHECK_WORDS("telemetry.nvml-refused", nvml_says({.init = 3}));
  CHECK_WORDS("telemetry.nvml-no-uuid", nvml_says({.by_pci = 6, .by_uuid = 3}));
  DeviceInfo no_uuid = gpu("NVIDIA");
  no_uuid.uuid.reset();
  CHECK_WORDS("telemetry.nvml-no-pci", nvml_says({.by_pci = 3}, no_uuid));
  no_uuid.pci.reset();
  CHECK_WORDS("telemetry.nvml-no-address", nvml_says({}, no_uuid));
}

TEST_CASE("NVML: the compute capability of a device whose API does not tell it") {
  const auto capability = [](const FakeNvml& script, const NvmlFunctions& functions = kFunctions) {
    nvml = script;
    return nvml_facts(gpu("NVIDIA"), functions).compute_capability;
  };
  CHECK(capability({}) == "9.1");
  CHECK(nvml.queries == "pci 0000:3b:00.0;");
  CHECK_FALSE(capability({.capability = 3}));
  CHECK_FALSE(capability({.init = 3}));
  CHECK_FALSE(capability({.by_pci = 6, .by_uuid = 3}));
  NvmlFunctions old = kFunctions;
  old.compute_capability = nullptr;
  CHECK_FALSE(capability({}, old));
  CHECK_FALSE(nvml_facts(gpu("NVIDIA"), "libno-such-library.so").compute_capability);
  CHECK_FALSE(find_facts(gpu("AMD")).compute_capability);
}

TEST_CASE("NVML: the kind of part of a card that a device is") {
  const auto part = [](const FakeNvml& script, const NvmlFunctions& functions = kFunctions) {
    nvml = script;
    return nvml_facts(gpu("NVIDIA"), functions).part;
  };
  CHECK(part({.mig = 0, .virtualization = 0}).empty());
  CHECK(part({.mig = 1, .virtualization = 0}) == "MIG slice");
  CHECK(part({.mig = 0, .virtualization = 1}).empty());  // a whole card in a virtual machine
  CHECK(part({.mig = 0, .virtualization = 2}) == "vGPU");
  CHECK(part({.init = 3}).empty());
  NvmlFunctions old = kFunctions;
  old.mig_mode = nullptr;
  old.virtualization = nullptr;
  CHECK(part({.mig = 1}, old).empty());
  CHECK(nvml_facts(gpu("NVIDIA"), "libno-such-library.so").part.empty());
  CHECK(find_facts(gpu("AMD")).part.empty());
}

TEST_CASE("NVML: states that spoil a measurement are noted with a warning") {
  const auto conditions = [](const FakeNvml& script) {
    nvml = script;
    const FoundReader found = open_nvml(gpu("NVIDIA"), kFunctions);
    found.reader->read();
    return text(found.reader->conditions());
  };
  CHECK(conditions({}) ==
        "display none, ecc on, mig off, other_processes 0, power_limit_w 700 of 700, throttled no, virtualization none");
  CHECK(conditions({.compute = {4711, 12}, .graphics = {12, 13}}).ends_with("; 2 other processes are on the GPU"));
  CHECK(conditions({.graphics = {12}}).ends_with("; 1 other process is on the GPU"));
  // Even percycle is not listed.
  CHECK(conditions({.compute = {}}).find("other_processes 0") != std::string::npos);
  CHECK(conditions({.mig = 1}).ends_with("; MIG splits the GPU: percycle measured one part of it"));
  CHECK(conditions({.virtualization = 2})
            .ends_with("virtualization vGPU; the GPU is virtual (vGPU): other virtual machines may share it"));
  CHECK(conditions({.virtualization = 1}).ends_with("virtualization passthrough"));
  CHECK(conditions({.display_active = 1}).starts_with("display attached"));
  CHECK(conditions({.display_active = 1}).ends_with("; a display is attached to the GPU"));
  CHECK(conditions({.ecc = 0}).find("ecc off") != std::string::npos);
  CHECK(conditions({.limit_mw = 500000}).ends_with("; the power limit is 500 W; the default is 700 W"));
  CHECK(conditions({.limit_mw = 695000}).ends_with("virtualization none"));
  // Idle; a clock set by a user.
  CHECK(conditions({.reasons = 0x1 | 0x2}).ends_with("virtualization none"));
  CHECK(conditions({.reasons = 0x4 | 0x20}).ends_with("; the GPU throttled: power cap, thermal slowdown"));
}

TEST_CASE("NVML: throttling at any reading counts until it was asked for") {
  nvml = FakeNvml{.reasons = 0x8};
  const FoundReader found = open_nvml(gpu("NVIDIA"), kFunctions);
  found.reader->conditions();
  found.reader->read();
  nvml.reasons = 0;
  found.reader->read();
  CHECK(text(found.reader->conditions()).find("throttled hardware slowdown") != std::string::npos);
  CHECK(text(found.reader->conditions()).find("throttled no") != std::string::npos);
}

TEST_CASE("NVML: values missing in an older library are not noted") {
  nvml = {};
  NvmlFunctions old = kFunctions;
  old.compute_processes = nullptr;
  old.mig_mode = nullptr;
  old.virtualization = nullptr;
  old.display_active = nullptr;
  old.ecc_mode = nullptr;
  old.default_power_limit = nullptr;
  old.throttle_reasons = nullptr;
  const FoundReader found = open_nvml(gpu("NVIDIA"), old);
  CHECK(text(found.reader->conditions()).empty());
}

TEST_CASE("NVML: a library that is not there, or is another") {
  CHECK(text(open_nvml(gpu("NVIDIA"), "libpercycle-none.so.1")).starts_with("none: libpercycle-none.so.1"));
  CHECK(text(open_nvml(gpu("NVIDIA"), test_system::kRuntimeLibrary)) ==
        fmt::format("none: {} lacks nvmlInit_v2", test_system::kRuntimeLibrary));
}

// sysfs -------------------------------------------------------------------------------------

/// For tests that write parts of sysfs.
const doctest::skip kNeedsSysfs(!test_system::kNamesMayHaveColons);

/// A tree of files by their path below the device's folder.
class Sysfs {
 public:
  explicit Sysfs(const std::map<std::string, std::string>& files) {
    for (const auto& [name, content] : files) {
      const auto path = root() / "bus/pci/devices/0000:3b:00.0" / name;
      std::filesystem::create_directories(path.parent_path());
      examples::write_text(path, content);
    }
  }
  std::filesystem::path root() const { return folder_ / "sys"; }

 private:
  examples::Folder folder_;
};

TEST_CASE("amdgpu: clock, power and temperature of hwmon; the level that pp_dpm_sclk marks is a target" * kNeedsSysfs) {
  const auto says = [](const std::map<std::string, std::string>& files) {
    const Sysfs sysfs(files);
    return text(open_amdgpu(gpu("AMD"), sysfs.root()));
  };
  const std::map<std::string, std::string> all{{"pp_dpm_sclk", "0: 500Mhz\n1: 2475Mhz *\n2: 2600Mhz\n"},
                                               {"hwmon/hwmon4/freq1_input", "2500000000\n"},
                                               {"hwmon/hwmon4/power1_average", "250500000\n"},
                                               {"hwmon/hwmon4/power1_input", "1\n"},
                                               {"hwmon/hwmon4/temp1_input", "61500\n"}};
  CHECK(says(all) == "amdgpu sysfs: 2500 MHz 250.5 W 61.5 C");
  auto other = all;
  other.erase("hwmon/hwmon4/freq1_input");
  other.erase("hwmon/hwmon4/power1_average");
  CHECK(says(other) == "amdgpu sysfs: - MHz 1e-06 W 61.5 C");
  CHECK(says({{"hwmon/hwmon4/freq1_input", "0\n"}, {"hwmon/hwmon4/temp1_input", "40000"}}) == "amdgpu sysfs: - MHz - W 40 C");
  CHECK(says({{"vendor", "0x1002"}}).ends_with("/0000:3b:00.0 shows no clock, power or temperature"));

  const auto conditions = [](const std::map<std::string, std::string>& files) {
    const Sysfs sysfs(files);
    const FoundReader found = open_amdgpu(gpu("AMD"), sysfs.root());
    return text(found.reader->conditions());
  };
  auto state = all;
  CHECK(conditions(state) == "display none, virtualization none");
  state["hwmon/hwmon4/power1_cap"] = "200000000\n";
  state["hwmon/hwmon4/power1_cap_default"] = "250000000\n";
  state["drm/card1/card1-DP-1/status"] = "disconnected\n";
  CHECK_WORDS("telemetry.amd-power-limit", conditions(state));
  state.erase("hwmon/hwmon4/power1_cap");
  state["drm/card1/card1-HDMI-A-1/status"] = "connected\n";
  state["physfn/vendor"] = "0x1002\n";
  CHECK_WORDS("telemetry.virtual-function", conditions(state));

  DeviceInfo no_pci = gpu("AMD");
  no_pci.pci.reset();
  CHECK_WORDS("telemetry.no-pci-address", text(open_amdgpu(no_pci, "/nowhere")));
}

TEST_CASE("Intel: the clock of i915, or of the GT that computes in xe's fastest tile; an idle GT has none" * kNeedsSysfs) {
  const auto says = [](const std::map<std::string, std::string>& files) {
    const Sysfs sysfs(files);
    return text(open_intel(gpu("Intel"), sysfs.root()));
  };
  CHECK(says({{"drm/card1/gt_act_freq_mhz", "1150\n"}, {"drm/renderD128/gt_act_freq_mhz", "1"}}) ==
        "i915 sysfs: 1150 MHz - W - C");
  CHECK(says({{"drm/card0/gt_act_freq_mhz", "0\n"}}) == "i915 sysfs: - MHz - W - C");
  CHECK(says({{"tile0/gt0/freq0/act_freq", "2400\n"}, {"tile0/gt1/freq0/act_freq", "0\n"}}) == "xe sysfs: 2400 MHz - W - C");
  CHECK(says({{"tile0/gt0/freq0/act_freq", "1200\n"}, {"tile0/gt1/freq0/act_freq", "2600\n"}}) == "xe sysfs: 1200 MHz - W - C");
  CHECK(says({{"tile0/gt0/freq0/act_freq", "600\n"}, {"tile1/gt0/freq0/act_freq", "1600\n"}}) == "xe sysfs: 1600 MHz - W - C");
  CHECK(says({{"drm/card0/dev", "226:0"}}).ends_with("/0000:3b:00.0 shows no clock"));
  const Sysfs sysfs(
      {{"drm/card0/gt_act_freq_mhz", "900"}, {"drm/card0/card0-DP-1/status", "connected\n"}, {"physfn/vendor", "0x8086\n"}});
  CHECK_WORDS("telemetry.virtual-function", text(open_intel(gpu("Intel"), sysfs.root()).reader->conditions()));
  DeviceInfo no_pci = gpu("Intel");
  no_pci.pci.reset();
  CHECK_WORDS("telemetry.no-pci-address", text(open_intel(no_pci, "/nowhere")));
}

TEST_CASE("Intel: temperature, energy and power of hwmon" * kNeedsSysfs) {
  std::map<std::string, std::string> files{{"drm/card1/gt_act_freq_mhz", "1150\n"},
                                           {"hwmon/hwmon4/energy1_input", "123456789\n"},
                                           {"hwmon/hwmon4/energy2_input", "1\n"},
                                           {"hwmon/hwmon4/temp2_input", "55000\n"}};
  {
    const Sysfs sysfs(files);
    const FoundReader found = open_intel(gpu("Intel"), sysfs.root());
    CHECK(found.reader->energy_j() == 123.456789);
    // No power before a tenth of a second.
    CHECK(text(found.reader->read()) == "1150 MHz - W 55 C");
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    examples::write_text(sysfs.root() / "bus/pci/devices/0000:3b:00.0/hwmon/hwmon4/energy1_input", "223456789\n");
    const auto watts = found.reader->read().power_w;
    REQUIRE(watts);
    CHECK((*watts > 0 && *watts < 100 / 0.12));
  }
  files["hwmon/hwmon4/power1_input"] = "45500000\n";
  files["hwmon/hwmon4/temp1_input"] = "61000\n";
  const Sysfs sysfs(files);
  CHECK(text(open_intel(gpu("Intel"), sysfs.root())) == "i915 sysfs: 1150 MHz 45.5 W 61 C");
}

TEST_CASE("telemetry is that of the vendor; of a CPU none is looked for, and where there is none a reason says so" *
          kNeedsSysfs) {
  const Sysfs sysfs({{"hwmon/hwmon0/freq1_input", "1000000000"}, {"drm/card0/gt_act_freq_mhz", "900"}});
  const TelemetryPlaces places{.nvml = "libpercycle-none.so.1", .sysfs = sysfs.root()};
  const Telemetry amd = find_telemetry(gpu("AMD"), places);
  CHECK(amd.source == "amdgpu sysfs");
  CHECK(amd.recorder != nullptr);
  CHECK(find_telemetry(gpu("Intel"), places).source == "i915 sysfs");
  const Telemetry nvidia = find_telemetry(gpu("NVIDIA"), places);
  CHECK(nvidia.source.starts_with("none: NVML: libpercycle-none.so.1"));
  CHECK(nvidia.recorder == nullptr);
  CHECK_WORDS("telemetry.unknown-vendor", find_telemetry(gpu("Someone"), places).source);
  DeviceInfo cpu = gpu("AMD");
  cpu.type = DeviceType::cpu;
  CHECK_WORDS("telemetry.no-graphics-card", find_telemetry(cpu, places).source);
  CHECK(find_telemetry(cpu, places).recorder == nullptr);
}

// The thread --------------------------------------------------------------------------------

/// Counts its readings; the first `empty` of them have no values.
class CountingReader final : public Reader {
 public:
  CountingReader(std::atomic<int>& count, int empty) : count_(count), empty_(empty) {}
  TelemetryReading read() override {
    const int now = ++count_;
    return now <= empty_ ? TelemetryReading{} : TelemetryReading{.clock_mhz = 1000.0 + now};
  }
  Conditions conditions() override { return {{{"ecc", "on"}}, {}}; }

 private:
  std::atomic<int>& count_;
  int empty_;
};

TEST_CASE("a sampler reads during the measurement until it is stopped") {
  std::atomic<int> count{0};
  Sampler sampler(std::make_unique<CountingReader>(count, 1), std::chrono::milliseconds(1));
  CHECK(sampler.stop().empty());
  CHECK(count == 0);

  sampler.start(false);
  while (count < 4) std::this_thread::yield();
  const auto samples = sampler.stop();
  const int read = count;
  REQUIRE(static_cast<int>(samples.size()) == read - 1);  // without the empty one
  CHECK(samples[0].ns == 0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CHECK(*samples[i].reading.clock_mhz == 1002.0 + static_cast<double>(i));
    if (i > 0) CHECK(samples[i].ns >= samples[i - 1].ns + 1e6);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(count == read);
  CHECK(sampler.stop().empty());

  sampler.start(false);  // again, restarted while it runs
  while (count < read + 2) std::this_thread::yield();
  sampler.start(false);
  const auto again = sampler.stop();
  REQUIRE(again.size() >= 2);  // from before the load, and one during it
  CHECK(*again[0].reading.clock_mhz > 1002.0 + read);
}

/// Always returns the same reading.
class ConstantReader final : public Reader {
 public:
  explicit ConstantReader(TelemetryReading reading) : reading_(reading) {}
  TelemetryReading read() override { return reading_; }

 private:
  TelemetryReading reading_;
};

/// The first reading of a sampler whose source states `stated`.
TelemetryReading sampled(const TelemetryReading& stated) {
  Sampler sampler(std::make_unique<ConstantReader>(stated), std::chrono::hours(1));
  sampler.start(false);
  const auto samples = sampler.stop();
  return samples.empty() ? TelemetryReading{} : samples.front().reading;
}

TEST_CASE("a sampler leaves out values that no card has") {
  CHECK(text(sampled({.clock_mhz = 2445, .power_w = 300, .temperature_c = 60})) == "2445 MHz 300 W 60 C");
  CHECK(text(sampled({.clock_mhz = 24457, .power_w = 300, .temperature_c = 60})) == "- MHz 300 W 60 C");
  CHECK(text(sampled({.clock_mhz = 1, .power_w = 300, .temperature_c = 60})) == "- MHz 300 W 60 C");
  CHECK(text(sampled({.clock_mhz = 65535, .power_w = 4294967, .temperature_c = 65535})) == "- MHz - W - C");
  CHECK(text(sampled({.clock_mhz = 50, .power_w = 0, .temperature_c = -40})) == "50 MHz - W -40 C");
  CHECK(text(sampled({.clock_mhz = 6000, .power_w = 5000, .temperature_c = -273})) == "6000 MHz - W - C");
}

TEST_CASE("a sampler warns of an impossible clock if it saw no other") {
  const auto conditions = [](double mhz) {
    Sampler sampler(std::make_unique<ConstantReader>(TelemetryReading{.clock_mhz = mhz, .power_w = 300}), std::chrono::hours(1));
    sampler.start(false);
    sampler.stop();
    return text(sampler.conditions());
  };
  CHECK_WORDS("telemetry.impossible-clock", conditions(24457));
  CHECK(conditions(1980).empty());
}

/// Hangs at this reading until the test lets it go on.
class HangingReader final : public Reader {
 public:
  HangingReader(int at, std::shared_future<void> end) : at_(at), end_(std::move(end)) {}
  TelemetryReading read() override {
    if (--at_ <= 0) end_.wait();
    return {.clock_mhz = 1000};
  }

 private:
  int at_;
  std::shared_future<void> end_;
};

TEST_CASE("a sampler whose reader hangs ends the telemetry and says so, and nothing waits for it again") {
  for (const int at : {1, 3}) {
    std::promise<void> end;
    Sampler sampler(std::make_unique<HangingReader>(at, end.get_future().share()), std::chrono::milliseconds(1),
                    std::chrono::milliseconds(50));
    sampler.start(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(sampler.stop().empty());
    const auto begin = std::chrono::steady_clock::now();
    sampler.start(false);
    CHECK(sampler.stop().empty());
    CHECK(sampler.refreshed());
    CHECK_WORDS("telemetry.hung", text(sampler.conditions()));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(40));
    end.set_value();
  }
}

/// Has a counter of energy.
class EnergyReader final : public Reader {
 public:
  TelemetryReading read() override { return {.clock_mhz = 1000}; }
  std::optional<double> energy_j() override { return 5; }
};

TEST_CASE("a sampler reads the counter of energy only if it is asked to, because that is slow") {
  Sampler sampler(std::make_unique<EnergyReader>(), std::chrono::hours(1));
  sampler.start(false);
  CHECK_FALSE(sampler.stop().front().reading.energy_j);
  sampler.start(true);
  CHECK(sampler.stop().front().reading.energy_j == 5);
}

/// Returns the same reading, power included, until it was asked `stale` times.
class RefreshedReader final : public Reader {
 public:
  explicit RefreshedReader(int stale) : stale_(stale) {}
  TelemetryReading read() override {
    return stale_-- > 0 ? TelemetryReading{.clock_mhz = 345, .power_w = 70} : TelemetryReading{.clock_mhz = 1500, .power_w = 300};
  }

 private:
  int stale_;
};

TEST_CASE("a sampler reports the refresh of its source and its reader's device state") {
  Sampler sampler(std::make_unique<RefreshedReader>(3), std::chrono::milliseconds(1));
  CHECK_FALSE(sampler.refreshed());
  sampler.start(false);
  while (!sampler.refreshed()) std::this_thread::yield();
  const auto samples = sampler.stop();
  REQUIRE(samples.size() == 2);  // one per refresh
  CHECK(samples[0].reading.clock_mhz == 345.0);
  CHECK(samples[1].reading.clock_mhz == 1500.0);
  CHECK(samples[1].ns >= 3e6);  // when it was first seen

  std::atomic<int> count{0};
  CHECK(text(Sampler(std::make_unique<CountingReader>(count, 0)).conditions()) == "ecc on");
}

TEST_CASE("a sampler that had no time reads before the load and once at the end") {
  std::atomic<int> count{0};
  Sampler sampler(std::make_unique<CountingReader>(count, 0), std::chrono::hours(1));
  sampler.start(false);
  const auto samples = sampler.stop();
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].ns == 0);
  CHECK(*samples[0].reading.clock_mhz == 1001);
  CHECK(*samples[1].reading.clock_mhz == 1002);
}

}  // namespace
}  // namespace percycle::telemetry::telemetry_test

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "fake_device.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_device_test {
namespace {

/// A kernel over one storage buffer with one parameter word.
KernelDesc kernel(Emulation emulation, const std::string& name = "test") {
  test_emulations()[name] = std::move(emulation);
  return {.name = name,
          .definitions = {},
          .local_size = 1,
          .bindings = {{"out"}},
          .parameters = {{"number", ""}},
          .constants = {},
          .subgroup_size = {}};
}

/// A simulated device with one buffer of 64 MiB.
struct Bench {
  explicit Bench(const Model& model)
      : device(open_sim(model, "test", test_emulations())), buffer(device->create(BufferDesc{64 * kMiB})) {}

  Timing run(const Emulation& emulation) {
    return device->run({device->create(kernel(emulation)), {{buffer, nullptr}}, {{"number", 0}}, 1});
  }
  /// So many loads of byte 0: the first from memory, the others from the first cache.
  Timing loads(int count) {
    return run([count](const Execution&, MemoryModel& memory) {
      for (int i = 0; i < count; ++i) memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::read);
    });
  }
  Timing walk(std::uint64_t nodes, std::uint64_t steps) {
    return run([=](const Execution&, MemoryModel& memory) {
      const ChainImage image{Chain(nodes, ChainOrder::random, 1), ChainLayout{.stride_bytes = 128}};
      const Walk walk{{}, MemoryPath::global, 0, image, 0, 0, steps};
      memory.walk({&walk, 1});
    });
  }

  std::unique_ptr<Device> device;
  std::shared_ptr<Buffer> buffer;
};

DeviceError error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const DeviceError& error) {
    return error;
  }
  FAIL("no DeviceError");
  return {Api::sim, DeviceError::Kind::other, "", ""};
}

TEST_CASE("sim device: a dispatch takes its launch and its cycles, the host its overhead on top") {
  Bench bench(examples::small());
  const Timing timing = bench.loads(3);
  CHECK(timing.device_ns == 4000 + 600 + 30 + 30);
  CHECK(timing.host_ns == 14000 + 660);
  CHECK(bench.loads(1).device_ns == 4030);  // the caches keep the lines of the earlier dispatch
  CHECK(bench.walk(512, 1000).device_ns == 4000 + 200 * 1000);
  CHECK(bench.walk(2, 0).device_ns == 4000);
}

TEST_CASE("sim device: times are multiples of the timer's resolution; none without a timer") {
  Model model = examples::small();
  model.timer.resolution_ns = 32;
  CHECK(Bench(model).loads(1).device_ns == 4608);
  model.timer.device = false;
  const Timing timing = Bench(model).loads(1);
  CHECK_FALSE(timing.device_ns);
  CHECK(timing.host_ns == 14600);
}

TEST_CASE("sim device: the clock rises while the device is busy, and falls when it throttles") {
  Model model = examples::small();
  model.clock = {.mhz = 1000, .idle_mhz = 500, .ramp_ms = 1, .throttled_mhz = 250, .throttle_after_ms = 2};
  Bench bench(model);
  const auto busy = [&](std::uint64_t cycles) { return *bench.walk(512, cycles / 200).device_ns - 4000; };
  // 0.5 GHz rising by 0.5 GHz per ms: t ns have t/2 + t^2/4e6 cycles, the whole first millisecond
  // 750 000.
  CHECK(busy(312'500 - 100) == doctest::Approx(2e6 * (std::sqrt(0.25 + 0.312'400 * 1.0) - 0.5) / 1).epsilon(1e-5));
  CHECK(busy(437'600) == doctest::Approx(500'000).epsilon(1e-3));
  CHECK(busy(500'000) == doctest::Approx(500'000).epsilon(1e-3));
  CHECK(busy(1'000'000) == doctest::Approx(500'000 + 500'000 / 0.25).epsilon(1e-3));
  CHECK(busy(100'000) == 400'000);
}

TEST_CASE("sim device: a unit's counter counts cycles or ticks at a fixed rate; a read has its cost") {
  for (const double tick_mhz : {0.0, 100.0}) {
    Model model = examples::small();
    model.clock.mhz = 2000;
    model.unit_clock = UnitClock{.overhead_cycles = 2, .tick_mhz = tick_mhz};
    Bench bench(model);
    std::vector<std::uint64_t> counts;
    const auto timing = bench.run([&](const Execution&, MemoryModel& memory) {
      counts.push_back(memory.unit_clock());
      memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::read);
      counts.push_back(memory.unit_clock());
      memory.compute({}, 5000);
      counts.push_back(memory.unit_clock());
      CHECK(memory.device_clock() == 0);
    });
    CHECK(timing.device_ns == 4000 + (3 * 2 + 600 + 4 * 5000) / 2.0);
    CHECK(counts[0] > 0);
    if (tick_mhz == 0) {
      CHECK(counts[1] - counts[0] == 602);
      CHECK(counts[2] - counts[1] == 20002);
    } else {
      CHECK(counts[2] - counts[1] == doctest::Approx(1000.1).epsilon(0.001));
    }
    bench.run([&](const Execution&, MemoryModel& memory) { CHECK(memory.unit_clock() > counts[2]); });
  }
  Bench bench(examples::small());
  bench.run([&](const Execution&, MemoryModel& memory) { CHECK(memory.unit_clock() == 0); });
}

TEST_CASE("sim device: actors run in parallel, and the longest counts; a walk in lockstep ends with the slowest") {
  Model model = examples::small();
  model.caches[0].copies = 2;
  Bench bench(model);
  const auto timing = bench.run([](const Execution&, MemoryModel& memory) {
    memory.compute({.unit = 0, .subgroup = 0}, 10);
    memory.compute({.unit = 0, .subgroup = 1}, 100);
    memory.compute({.unit = 1, .subgroup = 0}, 50);
    memory.compute({.unit = 0, .subgroup = 0}, 20);
  });
  CHECK(timing.device_ns == 4000 + 400);
  const auto both = bench.run([](const Execution&, MemoryModel& memory) {
    const ChainImage image{Chain(16, ChainOrder::random, 1), ChainLayout{.stride_bytes = 128}};
    const std::vector<Walk> walks{{{.unit = 0, .subgroup = 0}, MemoryPath::global, 0, image, 0, 0, 100},
                                  {{.unit = 0, .subgroup = 1}, MemoryPath::global, 0, image, 0, 0, 300}};
    memory.walk(walks);
    memory.compute({.unit = 0, .subgroup = 0}, 10);
  });
  CHECK(both.device_ns == 4000 + 300 * 30 + 40);
}

TEST_CASE("sim device: stores, atomics, local memory and constants take the model's cycles") {
  Model model = examples::small();
  model.paths.push_back({.path = MemoryPath::constant, .hops = {examples::hop(0, 27)}, .memory_latency_cycles = 500});
  const auto device = open_sim(model, "test", test_emulations());
  const auto buffer = device->create(BufferDesc{256});
  KernelDesc desc = kernel([](const Execution& run, MemoryModel& memory) {
    CHECK(run.constants.contents().size() == 32);
    memory.access({}, MemoryPath::constant, 0, 0, 4, AccessKind::read);  // 500
    memory.access({}, MemoryPath::constant, 0, 4, 4, AccessKind::read);  // 27
    memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::write);   // 4
    memory.access({}, MemoryPath::local, 0, 1024, 4, AccessKind::read);  // 20
    memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::atomic);  // 600
    // 200: the atomic left it in the second cache
    memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::read);
  });
  desc.constants.resize(32);
  const auto timing = device->run({device->create(desc), {{buffer, nullptr}}, {{"number", 0}}, 1});
  CHECK(timing.device_ns == 4000 + 500 + 27 + 4 + 20 + 600 + 200);
  // Chases in local memory have its one latency.
  const auto local = device->run(
      {device->create(kernel([](const Execution&, MemoryModel& memory) {
         const Walk walk{{}, MemoryPath::local, 0, {Chain(768, ChainOrder::random, 1), {.stride_bytes = 64}}, 0, 0, 50};
         memory.walk({&walk, 1});
       })),
       {{buffer, nullptr}},
       {{"number", 0}},
       1});
  CHECK(local.device_ns == 4000 + 1000);
}

TEST_CASE("sim device: a chain may begin inside its buffer, but must end inside it") {
  Bench bench(examples::small());
  const auto timing = bench.run([](const Execution&, MemoryModel& memory) {
    const ChainImage image{Chain(16, ChainOrder::random, 1), ChainLayout{.stride_bytes = 128}};
    const Walk walk{{}, MemoryPath::global, 0, image, 4096, 0, 100};
    memory.walk({&walk, 1});
    memory.access({}, MemoryPath::global, 0, 4096, 4, AccessKind::read);
  });
  CHECK(timing.device_ns == 4000 + 100 * 30 + 30);
  CHECK_THROWS_AS(bench.run([](const Execution&, MemoryModel& memory) {
    const ChainImage image{Chain(16, ChainOrder::random, 1), ChainLayout{.stride_bytes = 128}};
    const Walk walk{{}, MemoryPath::global, 0, image, 64 * kMiB - 15 * 128, 0, 100};
    memory.walk({&walk, 1});
  }),
                  std::logic_error);
}

TEST_CASE("sim device: later loads find a walk's lines in the caches") {
  Bench bench(examples::small());
  const auto after = [&](std::uint64_t node) {
    double ns = 0;
    ns = *bench
              .run([&](const Execution&, MemoryModel& memory) {
                memory.access({}, MemoryPath::global, 0, node * 128, 4, AccessKind::read);
              })
              .device_ns;
    return ns - 4000;
  };
  bench.walk(100, 150);
  const Chain chain(100, ChainOrder::random, 1);
  CHECK(after(chain.place(49)) == 30);
  CHECK(after(chain.place(50)) == 200);
  CHECK(after(100) == 600);
  CHECK(after(100) == 30);
  bench.walk(100, 150);
  bench.walk(100, 10);  // from the chain's beginning again, not from where the other ended
  CHECK(after(chain.place(49)) == 30);
  bench.walk(1 << 19, 1 << 19);
  CHECK(after(chain.place(49)) == 600);
}

TEST_CASE("sim device: an access or a chain outside its memory names the kernel") {
  Bench bench(examples::small());
  const auto attempt = [&](const Emulation& emulation) {
    bench.device->run({bench.device->create(kernel(emulation, "culprit")), {{bench.buffer, nullptr}}, {{"number", 0}}, 1});
  };
  const char* message = "kernel culprit: an access outside its binding";
  CHECK_THROWS_WITH_AS(attempt([](const Execution&, MemoryModel& memory) {
                         memory.access({}, MemoryPath::global, 0, 64 * kMiB - 2, 4, AccessKind::read);
                       }),
                       message, std::logic_error);
  CHECK_THROWS_WITH_AS(attempt([](const Execution&, MemoryModel& memory) {
                         memory.access({}, MemoryPath::local, 0, 48 * kKiB, 4, AccessKind::read);
                       }),
                       message, std::logic_error);
  CHECK_THROWS_WITH_AS(
      attempt([](const Execution&, MemoryModel& memory) {
        const Walk walk{{}, MemoryPath::global, 0, {Chain(kMiB, ChainOrder::random, 1), {.stride_bytes = 128}}, 0, 0, 1};
        memory.walk({&walk, 1});
      }),
      message, std::logic_error);
  CHECK_THROWS_WORDS("kernel.missing-binding", std::logic_error, attempt([](const Execution&, MemoryModel& memory) {
                       memory.access({}, MemoryPath::global, 1, 0, 4, AccessKind::read);
                     }));
}

// --- noise

std::vector<double> durations(const Noise& noise, int count) {
  Model model = examples::small();
  model.noise = noise;
  model.timer = {.resolution_ns = 1e-9, .launch_ns = 0};
  Bench bench(model);
  std::vector<double> result;
  for (int i = 0; i < count; ++i) result.push_back(*bench.walk(512, 5000).device_ns / 1e6);
  return result;
}

TEST_CASE("sim device: noise has the model's spread and its outliers, and repeats with its seed") {
  const auto values = durations({.gaussian = 0.05, .seed = 3}, 4000);
  double mean = 0;
  for (const double value : values) mean += value / 4000;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / 4000;
  CHECK(mean == doctest::Approx(1).epsilon(0.003));
  CHECK(std::sqrt(variance) == doctest::Approx(0.05).epsilon(0.05));
  CHECK(durations({.gaussian = 0.05, .seed = 3}, 50) == std::vector(values.begin(), values.begin() + 50));
  CHECK(durations({.gaussian = 0.05, .seed = 4}, 1) != std::vector(values.begin(), values.begin() + 1));

  const auto rare = durations({.outlier_share = 0.1, .outlier_factor = 3}, 4000);
  const auto outliers = std::count_if(rare.begin(), rare.end(), [](double value) { return value > 2; });
  CHECK(outliers > 300);
  CHECK(outliers < 500);
  for (const double value : rare) CHECK((value == doctest::Approx(1) || value == doctest::Approx(3)));
  const auto wild = durations({.gaussian = 2}, 1000);
  CHECK(*std::min_element(wild.begin(), wild.end()) == doctest::Approx(0.2));
}

TEST_CASE("sim device: the unit's counter sees the noise that the timer sees; each single load has its own") {
  Model model = examples::small();
  model.noise.gaussian = 0.1;
  model.unit_clock = UnitClock{.overhead_cycles = 0};
  model.timer = {.resolution_ns = 1e-9, .launch_ns = 0};
  Bench bench(model);
  std::uint64_t ticks = 0;
  const auto timing = bench.run([&](const Execution&, MemoryModel& memory) {
    const std::uint64_t begin = memory.unit_clock();
    memory.compute({}, 100'000);
    ticks = memory.unit_clock() - begin;
  });
  CHECK(timing.device_ns == doctest::Approx(static_cast<double>(ticks)).epsilon(1e-5));
  CHECK(std::abs(*timing.device_ns - 400'000) > 1);
  std::vector<std::uint64_t> each;
  bench.run([&](const Execution&, MemoryModel& memory) {
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t begin = memory.unit_clock();
      memory.access({}, MemoryPath::global, 0, static_cast<std::uint64_t>(i) * 128, 4, AccessKind::read);
      each.push_back(memory.unit_clock() - begin);
    }
  });
  CHECK(each[0] != each[1]);
  CHECK(each[1] != each[2]);
}

// --- faults

TEST_CASE("sim device: a build failure throws an error with a log") {
  Model model = examples::small();
  model.faults = {{Fault::Effect::build_failure, 2}};
  const auto device = open_sim(model, "test", test_emulations());
  const auto emulation = [](const Execution&, MemoryModel&) {};
  CHECK_NOTHROW(device->create(kernel(emulation)));
  const auto error = error_of([&] { device->create(kernel(emulation)); });
  CHECK(error.kind == DeviceError::Kind::build);
  CHECK(error.api == Api::sim);
  CHECK_FALSE(error.log.empty());
  CHECK_NOTHROW(device->create(kernel(emulation)));
}

TEST_CASE("sim device: memory runs out, and is free again after buffers are released") {
  Model model = examples::small();
  const auto out = [](Device& device, std::uint64_t bytes) { return error_of([&] { device.create(BufferDesc{bytes}); }).kind; };
  const auto plain = open_sim(model, "test", test_emulations());
  CHECK(out(*plain, 16 * kGiB + 4) == DeviceError::Kind::out_of_memory);
  // Takes no host memory until it is used.
  CHECK_NOTHROW(plain->create(BufferDesc{16 * kGiB}));
  model.faults = {{Fault::Effect::out_of_memory, 1000}};
  const auto device = open_sim(model, "test", test_emulations());
  auto first = device->create(BufferDesc{600});
  CHECK(out(*device, 404) == DeviceError::Kind::out_of_memory);
  CHECK_NOTHROW(device->create(BufferDesc{400}));
  first.reset();
  CHECK_NOTHROW(device->create(BufferDesc{1000}));
}

TEST_CASE("sim device: a lost device stays lost") {
  Model model = examples::small();
  model.faults = {{Fault::Effect::lost, 2}};
  Bench bench(model);
  std::vector<std::byte> bytes(4);
  CHECK_NOTHROW(bench.loads(1));
  CHECK(error_of([&] { bench.loads(1); }).kind == DeviceError::Kind::lost);
  CHECK(error_of([&] { bench.device->create(BufferDesc{4}); }).kind == DeviceError::Kind::lost);
  CHECK(error_of([&] { bench.device->create(ImageDesc{bench.buffer, TexelFormat::r32_uint}); }).kind == DeviceError::Kind::lost);
  CHECK(error_of([&] { bench.device->create(kernel([](const Execution&, MemoryModel&) {})); }).kind == DeviceError::Kind::lost);
  CHECK(error_of([&] { bench.device->write(*bench.buffer, 0, bytes); }).kind == DeviceError::Kind::lost);
  CHECK(error_of([&] { bench.device->read(*bench.buffer, 0, bytes); }).kind == DeviceError::Kind::lost);
}

TEST_CASE("sim device: a timer that jumps back gives a negative time") {
  Model model = examples::small();
  model.faults = {{Fault::Effect::timer_backwards, 3}};
  Bench bench(model);
  CHECK(bench.loads(0).device_ns == 4000);
  CHECK(bench.loads(0).device_ns == 4000);
  CHECK(bench.loads(0).device_ns == -4000);
  CHECK(bench.loads(0).device_ns == 4000);
}

TEST_CASE("sim device: the fault of a wrong result changes a byte without an error") {
  Model model = examples::small();
  model.faults = {{Fault::Effect::wrong_result, 2}};
  Bench bench(model);
  const auto last = [&] {
    bench.run([](const Execution& run, MemoryModel&) { std::memset(run.bindings[0]->bytes().data(), 0, 64 * kMiB); });
    std::vector<std::byte> bytes(4);
    bench.device->read(*bench.buffer, 64 * kMiB - 4, bytes);
    return bytes[3];
  };
  CHECK(last() == std::byte{0});
  CHECK(last() == std::byte{1});
}

// --- the interface's rules

TEST_CASE("sim device: addresses are aligned to every page and never overlap") {
  Model model = examples::small();
  model.tlbs = {{.name = "TLB", .page_bytes = 32 * kMiB, .reach_bytes = 32 * kMiB, .penalty_cycles = 1}};
  const auto device = open_sim(model, "test", test_emulations());
  const auto a = device->create(BufferDesc{4});
  const auto b = device->create(BufferDesc{kGiB});
  const auto c = device->create(BufferDesc{4});
  const std::uint64_t at[] = {*device->address(*a), *device->address(*b), *device->address(*c)};
  for (const std::uint64_t address : at) CHECK(address % (32 * kMiB) == 0);
  CHECK(at[1] >= at[0] + 4);
  CHECK(at[2] >= at[1] + kGiB);
  const auto seen = std::make_shared<std::uint64_t>(0);
  device->run({device->create(kernel([seen](const Execution& run, MemoryModel&) { *seen = run.addresses[0]; })),
               {{b, nullptr}},
               {{"number", 0}},
               1});
  CHECK(*seen == at[1]);
}

TEST_CASE("sim device: a kernel without an emulation is unsupported, and the error names it") {
  Bench bench(examples::small());
  KernelDesc desc = kernel([](const Execution&, MemoryModel&) {});
  desc.name = "unheard-of";
  const auto error = error_of([&] { bench.device->create(desc); });
  CHECK(error.kind == DeviceError::Kind::unsupported);
  CHECK(std::string(error.what()).find("the simulated device has no model of kernel 'unheard-of'") != std::string::npos);
}

TEST_CASE("sim device: a work-group above the limit is unsupported") {
  Bench bench(examples::small());
  KernelDesc desc = kernel([](const Execution&, MemoryModel&) {});
  desc.local_size = 1025;
  CHECK(error_of([&] { bench.device->create(desc); }).kind == DeviceError::Kind::unsupported);
}

TEST_CASE("sim device: calls that break the interface's rules are refused") {
  Model model = examples::small();
  model.paths.push_back({.path = MemoryPath::texture, .hops = {}, .memory_latency_cycles = 600});
  model.paths.push_back({.path = MemoryPath::constant, .hops = {}, .memory_latency_cycles = 600});
  model.max_texel_elements = 16 * kMiB;
  Bench bench(model);
  Device& device = *bench.device;
  const auto emulation = [](const Execution&, MemoryModel&) {};
  const auto made = device.create(kernel(emulation));
  const auto image = device.create(ImageDesc{bench.buffer, TexelFormat::r32_uint});
  const auto refused = [](const std::function<void()>& call) { CHECK_THROWS_AS(call(), std::invalid_argument); };
  const auto with = [&](const std::function<void(KernelDesc&)>& change) {
    refused([&] {
      KernelDesc desc = kernel(emulation);
      change(desc);
      device.create(desc);
    });
  };
  refused([&] { device.create(BufferDesc{0}); });
  refused([&] { device.create(BufferDesc{6}); });
  refused([&] { device.create(ImageDesc{}); });
  const auto larger = device.create(BufferDesc{64 * kMiB + 4});
  refused([&] { device.create(ImageDesc{larger, TexelFormat::r32_uint}); });
  with([](KernelDesc& desc) { desc.local_size = 0; });
  with([](KernelDesc& desc) { desc.constants.resize(24); });
  with([](KernelDesc& desc) { desc.constants.resize(64 * kKiB + 16); });
  with([](KernelDesc& desc) { desc.subgroup_size = 32; });
  with([](KernelDesc& desc) { desc.parameters = {{"numbers", "", 1000}}; });
  refused([&] { device.run({made, {}, {{"number", 0}}, 1}); });
  refused([&] { device.run({made, {{bench.buffer, nullptr}}, {}, 1}); });
  refused([&] { device.run({made, {{bench.buffer, nullptr}}, {{"number", 0}}, 0}); });
  refused([&] { device.run({made, {{nullptr, image}}, {{"number", 0}}, 1}); });
  refused([&] { device.run({made, {{bench.buffer, image}}, {{"number", 0}}, 1}); });
  std::vector<std::byte> bytes(8);
  refused([&] { device.write(*bench.buffer, 2, bytes); });
  refused([&] { device.read(*bench.buffer, 64 * kMiB - 4, bytes); });
  CHECK_NOTHROW(device.read(*bench.buffer, 64 * kMiB - 8, bytes));
  CHECK(device.code(*made)->subgroup_size == 32);
}

}  // namespace
}  // namespace percycle::sim::sim_device_test

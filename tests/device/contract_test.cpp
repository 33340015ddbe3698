// The guarantees of Device, checked on every device of this machine through both APIs.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract_kernel.hpp"
#include "core/random.hpp"
#include "device/device.hpp"
#include "device/opencl/opencl.hpp"
#include "device/peer_link.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle::contract_test {
namespace {

Enumeration enumerate(Api api) {
  Enumeration found;
  const EnumerationSink sink{.device = [&](DeviceInfo info) { found.devices.push_back(std::move(info)); },
                             .problem = [&](EnumerationProblem problem) { found.problems.push_back(std::move(problem)); }};
  api == Api::opencl ? enumerate_opencl(sink) : enumerate_vulkan(sink);
  return found;
}

const Enumeration& enumeration(Api api) {
  static const Enumeration opencl = enumerate(Api::opencl);
  static const Enumeration vulkan = enumerate(Api::vulkan);
  return api == Api::opencl ? opencl : vulkan;
}

std::unique_ptr<Device> open(const DeviceInfo& info) {
  return info.api == Api::opencl ? open_opencl(info.open_index) : open_vulkan(info.open_index);
}

/// Opens each device that can run kernels and passes it to `check`.
void on_every_device(const std::function<void(Device&)>& check) {
  for (const Api api : {Api::opencl, Api::vulkan}) {
    for (const DeviceInfo& info : enumeration(api).devices) {
      if (!info.compile_only.empty()) continue;
      const std::string selector = std::string(to_string(api)) + ":" + std::to_string(info.index) + " " + info.name;
      CAPTURE(selector);
      const std::unique_ptr<Device> device = open(info);
      REQUIRE(device != nullptr);
      REQUIRE(device->info().api == api);
      REQUIRE(device->info().index == info.index);
      REQUIRE(device->info().name == info.name);
      check(*device);
    }
  }
}

using Words = std::vector<std::uint32_t>;

std::span<const std::byte> bytes_of(const Words& words) { return std::as_bytes(std::span(words)); }

Words random_words(std::size_t count, std::uint64_t seed) {
  SplitMix64 random(seed);
  Words words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

std::shared_ptr<Buffer> buffer_of(Device& device, const Words& words) {
  std::shared_ptr<Buffer> buffer = device.create(BufferDesc{.bytes = words.size() * sizeof(words[0])});
  device.write(*buffer, 0, bytes_of(words));
  return buffer;
}

Words contents(Device& device, const Buffer& buffer, HostMemory memory = HostMemory::pageable) {
  Words words(buffer.bytes() / sizeof(words[0]));
  device.read(buffer, 0, std::as_writable_bytes(std::span(words)), memory);
  return words;
}

void check_plausible(const Timing& timing) {
  CHECK(timing.host_ns > 0);
  if (!timing.device_ns) return;
  CHECK(*timing.device_ns > 0);
  // The slack is a tick of a coarse device timer and the drift between two clocks.
  CHECK(*timing.device_ns <= timing.host_ns * 1.01 + 2000);
}

const Words kConstants = {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};

KernelDesc contract_desc() {
  const std::span<const std::byte> constants = bytes_of(kConstants);
  KernelDesc desc = contract_kernel("2654435761u");
  desc.constants = {constants.begin(), constants.end()};
  return desc;
}

std::shared_ptr<Image> plane_image(Device& device, const Words& words, TexelFormat format) {
  return device.create(ImageDesc{.buffer = buffer_of(device, words), .format = format, .width = kPlaneWidth});
}

/// The contract kernel with its buffers, over 1000 items in groups of 32: several groups, the last
/// of them not full.
struct Contract {
  static constexpr std::uint32_t kItems = 1000;
  static constexpr std::uint32_t kGroups = 32;
  static constexpr std::uint32_t kAdd = 0x89abcdefu;
  static constexpr std::uint32_t kUntouched = 0x5a5a5a5au;

  Words plain = random_words(kItems, 1);
  Words addressed = random_words(kItems, 2);
  Words texels = random_words(kItems, 3);
  Words plane = random_words(kItems, 6);
  std::shared_ptr<Buffer> out;
  Dispatch dispatch;

  explicit Contract(Device& device) {
    out = buffer_of(device, Words(kGroups * 32, kUntouched));
    const auto image = device.create(ImageDesc{.buffer = buffer_of(device, texels), .format = TexelFormat::r32_uint});
    dispatch = {.kernel = device.create(contract_desc()),
                .bindings = {{.buffer = buffer_of(device, plain), .image = {}},
                             {.buffer = buffer_of(device, addressed), .image = {}},
                             {.buffer = {}, .image = image},
                             {.buffer = out, .image = {}},
                             {.buffer = {}, .image = plane_image(device, plane, TexelFormat::r32_uint)}},
                .parameters = {{"n", kItems}, {"add", kAdd}},
                .groups = kGroups};
  }

  Words expected() const {
    Words words(kGroups * 32, kUntouched);
    for (std::uint32_t i = 0; i < kItems; ++i) {
      words[i] = plain[i] * 2654435761u + addressed[i] + texels[i] + plane[i] + kAdd + kConstants[(i & 1) * 4 + 1];
    }
    return words;
  }
};

/// The DeviceError of `action`; the test fails if there is none.
DeviceError device_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const DeviceError& error) {
    return error;
  }
  FAIL("no DeviceError");
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("at least one device of each API is there where PERCYCLE_REQUIRE_DEVICES=1 asks for it") {
  const char* wish = std::getenv("PERCYCLE_REQUIRE_DEVICES");
  const bool required = wish != nullptr && std::string(wish) == "1";
  for (const Api api : {Api::opencl, Api::vulkan}) {
    const auto& [devices, problems] = enumeration(api);
    const bool runnable =
        std::any_of(devices.begin(), devices.end(), [](const DeviceInfo& info) { return info.compile_only.empty(); });
    if (runnable) continue;
    std::cout << "SKIPPED: no " << (api == Api::opencl ? "OpenCL" : "Vulkan") << " device";
    for (const EnumerationProblem& problem : problems) std::cout << " (" << problem.where << ": " << problem.message << ")";
    std::cout << std::endl;
    CHECK_FALSE_MESSAGE(required, to_string(api));
  }
}

TEST_CASE("SwiftShader, a driver without 64-bit integers and clocks, is among the devices where it is installed") {
  const char* manifest = std::getenv("VK_ADD_DRIVER_FILES");
  if (manifest == nullptr) {
    std::cout << "SKIPPED: no SwiftShader (it comes with Debian's chromium)" << std::endl;
    return;
  }
  const std::vector<DeviceInfo>& devices = enumeration(Api::vulkan).devices;
  CHECK(std::any_of(devices.begin(), devices.end(),
                    [](const DeviceInfo& info) { return info.name.find("SwiftShader") != std::string::npos; }));
}

TEST_CASE("an enumerated device is described without impossible values") {
  for (const Api api : {Api::opencl, Api::vulkan}) {
    const std::vector<DeviceInfo>& devices = enumeration(api).devices;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const DeviceInfo& info = devices[i];
      CAPTURE(info.name);
      CHECK(info.api == api);
      CHECK(info.index == i);
      CHECK(info.open_index == i);
      CHECK_FALSE(info.name.empty());
      CHECK_FALSE(info.vendor.empty());
      CHECK_FALSE(info.platform.empty());
      CHECK_FALSE(info.driver.empty());
      CHECK((!info.uuid || info.uuid->size() == 32));
      CHECK((!info.units || info.units->value > 0));
      CHECK((!info.clock_mhz || info.clock_mhz->value > 1));
      CHECK((!info.memory_bytes || *info.memory_bytes > 0));
      CHECK((!info.max_allocation_bytes || *info.max_allocation_bytes > 0));
      CHECK((!info.max_image_side || *info.max_image_side >= 2048));  // OpenCL's and Vulkan's least
      CHECK((!info.timer_period_ns || *info.timer_period_ns > 0));
      CHECK(std::is_sorted(info.subgroup_sizes.begin(), info.subgroup_sizes.end()));
      if (!info.compile_only.empty()) continue;
      CHECK(info.max_group_size > 0);
      CHECK(info.max_groups > 0);
      CHECK(info.max_parameter_bytes >= 64);
    }
  }
}

TEST_CASE("an index past the enumeration is an error") {
  for (const Api api : {Api::opencl, Api::vulkan}) {
    CAPTURE(to_string(api));
    DeviceInfo past;
    past.api = api;
    past.open_index = static_cast<std::uint32_t>(enumeration(api).devices.size());
    CHECK_THROWS_AS(open(past), DeviceError);
  }
}

// tests/cli/peers.sh runs it with two devices of one platform.
TEST_CASE("peer links: a copy arrives at the other device, with the last bytes that were written") {
  std::size_t links = 0;
  on_every_device([&](Device& device) {
    if (device.info().api != Api::opencl) return;
    for (const PeerDevice& peer : device.info().peers) {
      CAPTURE(peer.index);
      ++links;
      const std::shared_ptr<PeerLink> link = device.link(peer, 4096 * 4);
      Words arrived(4096);
      for (const std::uint64_t seed : {21u, 22u}) {
        const Words sent = random_words(arrived.size(), seed);
        link->write(bytes_of(sent));
        check_plausible(link->copy());
        link->read(std::as_writable_bytes(std::span(arrived)));
        CHECK(arrived == sent);
      }
      CHECK_THROWS_AS(link->write(bytes_of(Words(2))), std::invalid_argument);
      CHECK_THROWS_AS(device.link(peer, 2), std::invalid_argument);
    }
    const auto past = static_cast<std::uint32_t>(enumeration(Api::opencl).devices.size());
    CHECK_THROWS_AS(device.link({.index = past, .name = "none"}, 4), DeviceError);
  });
  MESSAGE(links, " links between two devices");
}

TEST_CASE("a device opened under another number moves the numbers of its peers") {
  for (const DeviceInfo& info : enumeration(Api::opencl).devices) {
    if (!info.compile_only.empty() || info.peers.empty()) continue;
    const std::unique_ptr<Device> device = open_opencl(info.open_index, info.index + 10);
    CHECK(device->info().index == info.index + 10);
    const PeerDevice& peer = device->info().peers.front();
    CHECK(peer.index == info.peers.front().index + 10);
    CHECK(device->link(peer, 4) != nullptr);
  }
}

TEST_CASE("written data can be read back, at its offset only") {
  on_every_device([](Device& device) {
    for (const HostMemory memory : {HostMemory::pageable, HostMemory::pinned}) {
      CAPTURE(memory == HostMemory::pinned);
      Words model = random_words(4096, 11);
      const std::shared_ptr<Buffer> buffer = device.create(BufferDesc{.bytes = model.size() * 4});
      CHECK(buffer->bytes() == model.size() * 4);
      check_plausible(device.write(*buffer, 0, bytes_of(model), memory));
      CHECK(contents(device, *buffer, memory) == model);

      const Words patch = random_words(77, 12);
      device.write(*buffer, 1001 * 4, bytes_of(patch), memory);
      std::copy(patch.begin(), patch.end(), model.begin() + 1001);
      CHECK(contents(device, *buffer, memory) == model);

      Words part(123);
      check_plausible(device.read(*buffer, 990 * 4, std::as_writable_bytes(std::span(part)), memory));
      CHECK(std::equal(part.begin(), part.end(), model.begin() + 990));
    }
  });
}

TEST_CASE("copies both ways at once bring all bytes, and kernels use memory of the host") {
  on_every_device([](Device& device) {
    const Words in = random_words(5000, 13);
    const Words there = random_words(5000, 14);
    Words back(5000);
    const auto to = device.create(BufferDesc{.bytes = in.size() * 4});
    const auto from = device.create(BufferDesc{.bytes = in.size() * 4, .is_host_memory = true});
    device.write(*from, 0, bytes_of(there), HostMemory::pageable);
    check_plausible(device.exchange(*to, bytes_of(in), *from, std::as_writable_bytes(std::span(back))));
    CHECK(back == there);
    CHECK(contents(device, *to, HostMemory::pageable) == in);
  });
}

TEST_CASE("a transfer that breaks the rules is refused") {
  on_every_device([](Device& device) {
    const std::shared_ptr<Buffer> buffer = device.create(BufferDesc{.bytes = 64});
    const Words words(16);
    const std::span<const std::byte> bytes = bytes_of(words);
    CHECK_THROWS_AS(device.write(*buffer, 4, bytes), std::invalid_argument);
    CHECK_THROWS_AS(device.write(*buffer, 2, bytes.first(8)), std::invalid_argument);
    CHECK_THROWS_AS(device.write(*buffer, 0, bytes.first(6)), std::invalid_argument);
    CHECK_THROWS_AS(device.write(*buffer, ~std::uint64_t{3}, bytes.first(8)), std::invalid_argument);
    Words target(17);
    CHECK_THROWS_AS(device.read(*buffer, 0, std::as_writable_bytes(std::span(target))), std::invalid_argument);
    CHECK_THROWS_AS(device.create(BufferDesc{.bytes = 0}), std::invalid_argument);
    CHECK_THROWS_AS(device.create(BufferDesc{.bytes = 6}), std::invalid_argument);
    CHECK_THROWS_AS(device.create(ImageDesc{}), std::invalid_argument);
    const ImageDesc uneven{.buffer = buffer, .format = TexelFormat::r32_uint, .width = 7};
    CHECK_THROWS_AS(device.create(uneven), std::invalid_argument);
  });
}

TEST_CASE("a kernel gets its definitions, constants, parameters and every kind of binding") {
  on_every_device([](Device& device) {
    Contract contract(device);
    check_plausible(device.run(contract.dispatch));
    CHECK(contents(device, *contract.out) == contract.expected());

    // The second dispatch is independent of the first: other parameters, another output.
    const std::shared_ptr<Buffer> other = buffer_of(device, Words(Contract::kGroups * 32, Contract::kUntouched));
    Dispatch second = contract.dispatch;
    second.bindings[3].buffer = other;
    second.parameters = {{"n", 1}, {"add", Contract::kAdd}};
    second.groups = 1;
    check_plausible(device.run(second));
    Words expected(Contract::kGroups * 32, Contract::kUntouched);
    expected[0] = contract.expected()[0];
    CHECK(contents(device, *other) == expected);
    CHECK(contents(device, *contract.out) == contract.expected());
  });
}

TEST_CASE("texels of more than one channel are read from their first") {
  on_every_device([](Device& device) {
    for (const auto& pair : {std::pair{TexelFormat::rg32_uint, 2u}, std::pair{TexelFormat::rgba32_uint, 4u}}) {
      const auto& format = pair.first;
      const auto& channels = pair.second;
      CAPTURE(channels);
      Contract contract(device);
      const Words words = random_words(Contract::kItems * channels, 4);
      for (std::uint32_t i = 0; i < Contract::kItems; ++i) contract.texels[i] = words[i * channels];
      const ImageDesc desc{.buffer = buffer_of(device, words), .format = format};
      try {
        contract.dispatch.bindings[2].image = device.create(desc);
      } catch (const DeviceError& error) {
        // OpenCL 1.2 requires four channels but not two, and PoCL 3.1 lacks two.
        CAPTURE(error.what());
        CHECK((device.info().api == Api::opencl && format == TexelFormat::rg32_uint));
        continue;
      }
      device.run(contract.dispatch);
      CHECK(contents(device, *contract.out) == contract.expected());
    }
  });
}

TEST_CASE("texels of short channels are read from the lowest bits of their first word") {
  on_every_device([](Device& device) {
    for (const auto& pair : {std::pair{TexelFormat::rgba16_uint, 2u}, std::pair{TexelFormat::rgba8_uint, 1u}}) {
      const std::uint32_t words_of_texel = pair.second;
      CAPTURE(words_of_texel);
      Contract contract(device);
      const Words words = random_words(Contract::kItems * words_of_texel, 4);
      const std::uint32_t mask = words_of_texel == 2 ? 0xffff : 0xff;
      for (std::uint32_t i = 0; i < Contract::kItems; ++i) contract.texels[i] = words[i * words_of_texel] & mask;
      contract.dispatch.bindings[2].image = device.create(ImageDesc{.buffer = buffer_of(device, words), .format = pair.first});
      device.run(contract.dispatch);
      CHECK(contents(device, *contract.out) == contract.expected());
    }
  });
}

TEST_CASE("an image of two dimensions has the first channel of each format, and keeps its texels") {
  struct Texel {
    TexelFormat format;
    std::uint32_t words;
    std::uint32_t mask;
  };
  on_every_device([](Device& device) {
    for (const Texel& texel : {Texel{TexelFormat::rg32_uint, 2, ~0u}, Texel{TexelFormat::rgba32_uint, 4, ~0u},
                               Texel{TexelFormat::rgba16_uint, 2, 0xffff}, Texel{TexelFormat::rgba8_uint, 1, 0xff}}) {
      CAPTURE(texel.words);
      CAPTURE(texel.mask);
      Contract contract(device);
      const Words words = random_words(Contract::kItems * texel.words, 4);
      for (std::uint32_t i = 0; i < Contract::kItems; ++i) contract.plane[i] = words[i * texel.words] & texel.mask;
      const auto buffer = buffer_of(device, words);
      try {
        contract.dispatch.bindings[4].image =
            device.create(ImageDesc{.buffer = buffer, .format = texel.format, .width = kPlaneWidth});
      } catch (const DeviceError& error) {
        CAPTURE(error.what());
        CHECK(error.kind == DeviceError::Kind::unsupported);
        CHECK((device.info().api == Api::opencl && texel.format == TexelFormat::rg32_uint));
        continue;
      }
      device.write(*buffer, 0, bytes_of(Words(words.size(), 7)));  // a copy does not see it
      device.run(contract.dispatch);
      CHECK(contents(device, *contract.out) == contract.expected());
    }
  });
}

TEST_CASE("a driver's facts of a compiled kernel leave unknown values out instead of zeros") {
  on_every_device([](Device& device) {
    const std::optional<CodeInfo> code = device.code(*device.create(contract_desc()));
    if (code) CHECK((!code->subgroup_size || *code->subgroup_size > 0));
  });
}

TEST_CASE("a kernel that does not compile ends in a build error with the compiler's log") {
  on_every_device([](Device& device) {
    KernelDesc broken = contract_desc();
    broken.definitions["BROKEN"] = "1";
    const DeviceError error = device_error([&] { device.create(broken); });
    CHECK(error.kind == DeviceError::Kind::build);
    CHECK(error.api == device.info().api);
    CHECK(error.log.find("this kernel is broken on purpose") != std::string::npos);

    Contract contract(device);  // the device still works
    device.run(contract.dispatch);
    CHECK(contents(device, *contract.out) == contract.expected());
  });
}

TEST_CASE("a kernel that does not exist is named in the error") {
  on_every_device([](Device& device) {
    KernelDesc unknown = contract_desc();
    unknown.name = "no_such_kernel";
    std::string message;
    try {
      device.create(unknown);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    CHECK(message.find("no_such_kernel") != std::string::npos);
  });
}

TEST_CASE("a kernel description that breaks the rules is refused") {
  on_every_device([](Device& device) {
    KernelDesc desc = contract_desc();
    desc.constants.pop_back();
    CHECK_THROWS_AS(device.create(desc), std::invalid_argument);
    desc = contract_desc();
    desc.local_size = 0;
    CHECK_THROWS_AS(device.create(desc), std::invalid_argument);
    if (!device.info().subgroup_size_control) {
      desc = contract_desc();
      desc.subgroup_size = 16;
      CHECK_THROWS_AS(device.create(desc), std::invalid_argument);
    }
  });
}

TEST_CASE("a dispatch that does not fit its kernel is refused, and the next one runs") {
  on_every_device([](Device& device) {
    Contract contract(device);
    const auto refused = [&](const std::function<void(Dispatch&)>& damage) {
      Dispatch dispatch = contract.dispatch;
      damage(dispatch);
      CHECK_THROWS_AS(device.run(dispatch), std::invalid_argument);
    };
    refused([](Dispatch& d) { d.kernel.reset(); });
    refused([](Dispatch& d) { d.bindings.pop_back(); });
    refused([](Dispatch& d) { d.bindings.push_back(d.bindings.front()); });
    refused([](Dispatch& d) { d.bindings[0] = {}; });
    refused([](Dispatch& d) { std::swap(d.bindings[0], d.bindings[2]); });
    refused([](Dispatch& d) { d.bindings[2] = d.bindings[4]; });
    refused([](Dispatch& d) { d.bindings[4] = d.bindings[2]; });
    refused([](Dispatch& d) { d.bindings[0].image = d.bindings[2].image; });
    refused([](Dispatch& d) { d.bindings[2].buffer = d.bindings[0].buffer; });
    refused([](Dispatch& d) { d.parameters.erase("add"); });
    refused([](Dispatch& d) { d.parameters.emplace("more", 0); });
    refused([](Dispatch& d) { d.parameters.at("add") = std::vector<std::uint32_t>{1, 2}; });
    refused([](Dispatch& d) { d.groups = 0; });
    device.run(contract.dispatch);
    CHECK(contents(device, *contract.out) == contract.expected());
  });
}

TEST_CASE("several launches of one submission all run, those that depend see the ones before") {
  constexpr std::uint32_t kLaunches = 37;
  constexpr std::uint32_t kLanes = 32;
  constexpr std::uint32_t kFactor = 2654435761u;
  on_every_device([&](Device& device) {
    const auto kernel = [&](const std::map<std::string, std::string>& definitions) {
      return device.create(KernelDesc{.name = "launch",
                                      .definitions = definitions,
                                      .local_size = kLanes,
                                      .bindings = {{"x"}, {"y"}},
                                      .parameters = {{"factor", ""}},
                                      .constants = {},
                                      .subgroup_size = {}});
    };
    const Words x = random_words(kLanes * 4 * 3, 4);
    const Words y = random_words(x.size(), 5);
    Words expected = y;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] += kLaunches * kFactor * x[i];
    const auto sums = buffer_of(device, y);
    const Dispatch axpy{.kernel = kernel({{"WIDTH", "16"}}),
                        .bindings = {{.buffer = buffer_of(device, x), .image = {}}, {.buffer = sums, .image = {}}},
                        .parameters = {{"factor", kFactor}},
                        .groups = 3};
    check_plausible(device.launch(axpy, {.count = kLaunches}));
    CHECK(contents(device, *sums) == expected);
    try {
      check_plausible(device.launch(axpy, {.count = kLaunches, .barriers = true}));
      for (std::size_t i = 0; i < x.size(); ++i) expected[i] += kLaunches * kFactor * x[i];
      CHECK(contents(device, *sums) == expected);
    } catch (const DeviceError& error) {
      CHECK(error.kind == DeviceError::Kind::unsupported);
      CHECK(device.info().api == Api::opencl);
    }
    const Timing plain = device.launch(axpy, {.count = kLaunches, .timed = false});
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] += kLaunches * kFactor * x[i];
    CHECK(contents(device, *sums) == expected);
    CHECK(plain.host_ns > 0);
    CHECK_FALSE(plain.device_ns);
    CHECK_THROWS_AS(device.launch(axpy, {.count = 0}), std::invalid_argument);

    for (const Launches launches :
         {Launches{.count = kLaunches, .dependent = false}, Launches{.count = kLaunches, .indirect = true},
          Launches{.count = 1, .dependent = false, .indirect = true}}) {
      CAPTURE(launches.dependent);
      CAPTURE(launches.indirect);
      const auto counter = buffer_of(device, Words(4, 0));
      const Dispatch count{
          .kernel = kernel({{"COUNT", "1"}}),
          .bindings = {{.buffer = buffer_of(device, Words(4, 0)), .image = {}}, {.buffer = counter, .image = {}}},
          .parameters = {{"factor", 0u}},
          .groups = 5};
      try {
        check_plausible(device.launch(count, launches));
        CHECK(contents(device, *counter).front() == launches.count * 5);  // each group adds 1
      } catch (const DeviceError& error) {
        CHECK(error.kind == DeviceError::Kind::unsupported);
        CHECK(device.info().api == Api::opencl);
      }
    }
  });
}

TEST_CASE("a moment lies between the host's times around the call, and both clocks go on") {
  const auto now = [] { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  on_every_device([&](Device& device) {
    const auto before = now();
    const auto first = device.moment();
    const auto after = now();
    if (!first) return;
    CHECK(static_cast<double>(first->host_ns) + first->error_ns >= static_cast<double>(before));
    CHECK(static_cast<double>(first->host_ns) - first->error_ns <= static_cast<double>(after));
    CHECK(first->error_ns < 1e9);
    while (now() - after < 2'000'000) {
    }
    const auto second = device.moment();
    REQUIRE(second.has_value());
    CHECK(second->host_ns > first->host_ns);
    CHECK(second->device_ticks > first->device_ticks);
  });
}

TEST_CASE("a buffer that no machine can hold is out of memory, and the device lives on") {
  on_every_device([](Device& device) {
    const DeviceError error = device_error([&] { device.create(BufferDesc{.bytes = std::uint64_t{1} << 50}); });
    CHECK(error.kind == DeviceError::Kind::out_of_memory);
    CHECK_FALSE(error.call.empty());
    CHECK_FALSE(error.code.empty());
    Contract contract(device);
    device.run(contract.dispatch);
    CHECK(contents(device, *contract.out) == contract.expected());
  });
}

}  // namespace percycle::contract_test

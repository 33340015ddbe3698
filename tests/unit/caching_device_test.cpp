#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "fake_device.hpp"
#include "measure/caching_device.hpp"

namespace percycle::caching_device_test {
namespace {

KernelDesc description() {
  return {.name = "latency",
          .definitions = {{"PATH", "PATH_GLOBAL"}},
          .local_size = 32,
          .bindings = {{"out"}},
          .parameters = {{"loops", ""}, {"lanes", ""}},
          .constants = {},
          .subgroup_size = {}};
}

TEST_CASE("a kernel is compiled once") {
  auto owned = std::make_unique<fake::FakeDevice>(fake::Script{});
  auto& fake = *owned;
  CachingDevice device(std::move(owned));
  const auto first = device.create(description());
  CHECK(device.create(description()) == first);
  CHECK(fake.kernels_built == 1);
}

TEST_CASE("any difference that a driver sees makes another kernel") {
  std::vector<KernelDesc> all(8, description());
  all[1].name = "chain";
  all[2].definitions["PATH"] = "PATH_LOCAL";
  all[3].definitions["FORM"] = "FORM_INDEX";
  all[4].local_size = 64;
  all[5].bindings = {{"data", BindingKind::address}};
  all[6].parameters.push_back({"nodes", ""});
  all[7].constants.assign(16, std::byte{1});
  all.push_back(all[7]);
  all.back().constants[15] = std::byte{2};
  all.push_back(all[7]);
  all.back().constants.resize(512);
  all.push_back(all.back());
  all.back().constant_buffers = 2;
  all.push_back(description());
  all.back().subgroup_size = 16;
  all.push_back(description());
  all.back().optimize = false;
  all.push_back(description());
  all.back().bindings.push_back({"more"});
  all.push_back(description());
  all.back().definitions = {{"PATH", "PATH"}, {"GLOBAL", ""}};

  fake::Script script;
  script.info.subgroup_sizes = {16, 32};
  script.info.subgroup_size_control = true;
  script.info.constant_buffers = 2;
  auto owned = std::make_unique<fake::FakeDevice>(script);
  auto& fake = *owned;
  CachingDevice device(std::move(owned));
  for (int round = 0; round < 2; ++round) {
    for (const auto& desc : all) device.create(desc);
    CHECK(fake.kernels_built == all.size());
  }
}

TEST_CASE("a kernel that did not build is tried again") {
  fake::Script script;
  script.build_failure = 1;
  CachingDevice device(std::make_unique<fake::FakeDevice>(script));
  CHECK_THROWS_AS(device.create(description()), DeviceError);
  CHECK(device.create(description()) != nullptr);
}

TEST_CASE("everything else is the device's") {
  fake::Script script;
  CachingDevice device(std::make_unique<fake::FakeDevice>(script));
  CHECK(device.info().name == "Fake GPU");
  const auto buffer = device.create(BufferDesc{16});
  const std::vector<std::byte> bytes(16, std::byte{7});
  device.write(*buffer, 0, bytes, HostMemory::pageable);
  std::vector<std::byte> back(16);
  device.read(*buffer, 0, back, HostMemory::pinned);
  CHECK(back == bytes);
  CHECK(device.address(*buffer).has_value());
  CHECK(device.create(ImageDesc{buffer, TexelFormat::r32_uint}) != nullptr);
  const auto code = device.code(*device.create(description()));
  REQUIRE(code);
  CHECK(code->subgroup_size == 32u);
}

}  // namespace
}  // namespace percycle::caching_device_test

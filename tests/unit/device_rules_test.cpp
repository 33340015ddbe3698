#include "device/rules.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>

#include "check_words.hpp"
#include "fake_device.hpp"

namespace percycle::device_rules_test {

namespace {

void refused(const std::function<void()>& call) { CHECK_THROWS_AS(call(), std::invalid_argument); }

}  // namespace

TEST_CASE("device rules: an image is of whole texels, as many as the device takes") {
  CHECK(texel_bytes(TexelFormat::r32_uint) == 4);
  CHECK(texel_bytes(TexelFormat::rg32_uint) == 8);
  CHECK(texel_bytes(TexelFormat::rgba32_uint) == 16);
  CHECK(texel_bytes(TexelFormat::rgba16_uint) == 8);
  CHECK(texel_bytes(TexelFormat::rgba8_uint) == 4);
  CHECK(texel_bytes(TexelFormat::rgba16_float) == 8);
  CHECK(texel_bytes(TexelFormat::rgba8_unorm) == 4);
  DeviceInfo info = fake::gpu();
  info.max_texel_elements = 4;
  const auto image = [&](std::uint64_t bytes, TexelFormat format) {
    check_rules(ImageDesc{std::make_shared<fake::FakeBuffer>(bytes), format}, info);
  };
  CHECK_NOTHROW(image(16, TexelFormat::r32_uint));
  CHECK_NOTHROW(image(32, TexelFormat::rg32_uint));
  refused([&] { image(20, TexelFormat::r32_uint); });
  refused([&] { image(12, TexelFormat::rg32_uint); });
  refused([&] { image(8, TexelFormat::rgba32_uint); });
}

TEST_CASE("device rules: an image of two dimensions has whole rows, and both sides fit") {
  DeviceInfo info = fake::gpu();
  info.max_texel_elements = 1;  // of a view
  info.max_image_side = 8;
  const auto image = [&](std::uint64_t bytes, std::uint32_t width) {
    check_rules(ImageDesc{std::make_shared<fake::FakeBuffer>(bytes), TexelFormat::rg32_uint, width}, info);
  };
  CHECK_NOTHROW(image(512, 8));
  CHECK_NOTHROW(image(64, 8));
  CHECK_NOTHROW(image(64, 1));
  refused([&] { image(576, 8); });  // nine rows
  refused([&] { image(72, 9); });
  refused([&] { image(72, 1); });
  refused([&] { image(64, 3); });
  info.max_image_side.reset();
  refused([&] { image(8, 1); });
}

TEST_CASE("device rules: a binding takes an image of its dimensions only") {
  const auto buffer = std::make_shared<fake::FakeBuffer>(64);
  const auto dispatch = [&](std::uint32_t width, BindingKind kind) {
    const ImageDesc desc{buffer, TexelFormat::r32_uint, width};
    check_rules(Dispatch{.kernel = nullptr,
                         .bindings = {{nullptr, std::make_shared<fake::FakeImage>(desc, buffer)}},
                         .parameters = {},
                         .groups = 1},
                {kind}, fake::gpu());
  };
  CHECK_NOTHROW(dispatch(0, BindingKind::texel));
  CHECK_NOTHROW(dispatch(4, BindingKind::image2d));
  refused([&] { dispatch(0, BindingKind::image2d); });
  refused([&] { dispatch(4, BindingKind::texel); });
  refused([&] { dispatch(4, BindingKind::storage); });
}

TEST_CASE("device rules: a kernel may need only features of the device") {
  DeviceInfo info = fake::gpu();
  info.subgroup_size_control = true;
  KernelDesc desc;
  desc.name = "kernel";
  desc.local_size = 64;
  desc.bindings = {{"data", BindingKind::address}};
  desc.subgroup_size = 32;
  CHECK_NOTHROW(check_rules(desc, info));
  info.max_subgroups = 1;
  refused([&] { check_rules(desc, info); });
  info.max_subgroups = 2;
  CHECK_NOTHROW(check_rules(desc, info));
  desc.subgroup_size = 16;
  refused([&] { check_rules(desc, info); });
  desc.subgroup_size.reset();
  info.buffer_addresses = false;
  refused([&] { check_rules(desc, info); });
}

TEST_CASE("device rules: a work-group above the limit is unsupported, with both numbers") {
  DeviceInfo info = fake::gpu();
  info.max_group_size = 128;
  KernelDesc desc;
  desc.name = "kernel";
  desc.local_size = 128;
  CHECK_NOTHROW(check_rules(desc, info));
  desc.local_size = 256;
  CHECK_THROWS_WORDS("device-rules.group-limit", DeviceError, check_rules(desc, info));
}

TEST_CASE("device rules: constants fill buffers of the device, each a whole number of steps") {
  DeviceInfo info = fake::gpu();
  info.constant_bytes = 1024;
  KernelDesc desc;
  desc.name = "kernel";
  const auto with = [&](std::size_t bytes, std::uint32_t buffers) {
    desc.constants.resize(bytes);
    desc.constant_buffers = buffers;
    check_rules(desc, info);
  };
  CHECK_NOTHROW(with(1024, 1));
  refused([&] { with(1040, 1); });
  refused([&] { with(1032, 1); });
  refused([&] { with(1024, 2); });
  refused([&] { with(1024, 0); });
  info.constant_buffers = 4;
  CHECK_NOTHROW(with(4096, 4));
  CHECK_NOTHROW(with(512, 2));
  refused([&] { with(4096 + 1024, 4); });
  refused([&] { with(768, 2); });
  refused([&] { with(5 * 256, 5); });
}

TEST_CASE("device rules: a storage binding reaches no further than the device's, and a transfer moves something") {
  DeviceInfo info = fake::gpu();
  info.max_storage_bytes = 64;
  const auto buffer = std::make_shared<fake::FakeBuffer>(68);
  const Dispatch dispatch{.kernel = nullptr, .bindings = {{buffer, nullptr}}, .parameters = {}, .groups = 1};
  refused([&] { check_rules(dispatch, {BindingKind::storage}, info); });
  CHECK_NOTHROW(check_rules(dispatch, {BindingKind::address}, info));
  CHECK_NOTHROW(check_transfer(*buffer, 64, 4));
  refused([&] { check_transfer(*buffer, 0, 0); });
  refused([&] { check_transfer(*buffer, 68, 4); });
}

}  // namespace percycle::device_rules_test

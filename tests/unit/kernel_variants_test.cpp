#include "codegen/programs/kernel_variants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/program.hpp"
#include "codegen/programs/recording_device.hpp"
#include "core/units.hpp"
#include "experiments/experiment.hpp"

namespace percycle::kernel_variants_test {
namespace {

using Turn = std::vector<TurnAccess>;

const KernelVariant& variant(const std::vector<KernelVariant>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, variant_name);
  REQUIRE_MESSAGE(found != all.end(), name);
  return *found;
}

/// The variants of these experiments on an imagined GPU with OpenCL. cli.kernels lists the variants
/// of all experiments.
std::vector<KernelVariant> variants(const char* kind, const std::vector<std::string>& names) {
  std::vector<const Experiment*> experiments;
  for (const std::string& name : names) experiments.push_back(find_experiment(name));
  return kernel_variants(imagined_gpu(Api::opencl, kind), experiments);
}

TurnAccess reads(MemoryPath path, std::uint32_t width, std::uint64_t count) {
  return {path, AccessKind::read, width, count, false};
}

}  // namespace

TEST_CASE("kernel variants: copies to a peer need no kernel") {
  DeviceInfo gpu = imagined_gpu(Api::opencl, "nvidia");
  const std::size_t without_peer = kernel_variants(gpu, {find_experiment("transfer-bandwidth")}).size();
  gpu.peers = {{.index = 1, .name = "another"}};
  CHECK(kernel_variants(gpu, {find_experiment("transfer-bandwidth")}).size() == without_peer);
}

TEST_CASE("kernel variants: a Vulkan program of every kind of GPU compiles") {
  for (const char* kind : {"nvidia", "gcn1", "gcn", "rdna", "rdna3", "intel", "xe"}) {
    CAPTURE(kind);
    const DeviceInfo gpu = imagined_gpu(Api::vulkan, kind);
    CHECK(vulkan_module(kernel_variants(gpu, {find_experiment("launch")}).front(), gpu).size() > 5);
  }
}

TEST_CASE("kernel variants: the accesses in a turn of the timed loop") {
  const auto all = variants("gcn", {"atomic-throughput", "cache-bandwidth", "dram-bandwidth", "geometry", "l1-bandwidth",
                                    "latency", "private-caches", "sharing"});
  const auto turn = [&](const std::string& name) { return variant(all, name).turn; };
  CHECK(turn("latency.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=64") == Turn{reads(MemoryPath::global, 8, 31)});
  CHECK(turn("latency.FORM=FORM_INDEX.PATH=PATH_SCALAR.group=1") == Turn{reads(MemoryPath::scalar, 4, 31)});
  CHECK(turn("latency.FORM=FORM_BYTE_OFFSET.LOCAL_WORDS=16384.PATH=PATH_LOCAL.group=256") ==
        Turn{reads(MemoryPath::local, 8, 31)});
  CHECK(turn("latency.CONTROL=1.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=64") == Turn{});
  CHECK(turn("unit_bandwidth.FORM=FORM_PLAIN.LANES=64.PASSES=8.PATH=PATH_GLOBAL.UNROLL=4.WIDTH=16.group=256") ==
        Turn{reads(MemoryPath::global, 16, 32)});
  CHECK(turn("cache_bandwidth.ACCESS=ACCESS_COHERENT.LANES=64.UNROLL=8.group=1024") == Turn{reads(MemoryPath::global, 16, 8)});
  CHECK(turn("dram_bandwidth.OP=OP_TRIAD.UNROLL=8.WIDTH=8.group=256") ==
        Turn{reads(MemoryPath::global, 8, 16), {MemoryPath::global, AccessKind::write, 8, 8, false}});
  CHECK(turn("atomic_throughput.FORM=FORM_NO_RETURN.MEMORY=MEMORY_LOCAL.OPERATION=OPERATION_ADD.group=1024") ==
        Turn{{MemoryPath::local, AccessKind::atomic, 4, 16, false}});
  CHECK(turn("atomic_throughput.FORM=FORM_RETURN.MEMORY=MEMORY_GLOBAL.OPERATION=OPERATION_ADD.group=1024") ==
        Turn{{MemoryPath::global, AccessKind::atomic, 4, 16, true}});
  CHECK(turn("sharing.FIRST=PATH_TEXTURE.group=64") == Turn{reads(MemoryPath::texture, 4, 31), reads(MemoryPath::global, 4, 31)});
  CHECK(turn("private_caches.PATH=PATH_TEXTURE.SUBGROUP_SIZE=64.group=512") == Turn{reads(MemoryPath::texture, 4, 31)});
  CHECK(turn("geometry.MOST_STEPS=512.PATH=PATH_GLOBAL.group=64") == Turn{reads(MemoryPath::global, 8, 1)});
  CHECK(turn("geometry.MOST_STEPS=512.PATH=PATH_CONSTANT.group=1") == Turn{reads(MemoryPath::constant, 4, 1)});
  CHECK(turn("fill.DATA_ADDRESS=1.WORDS_PER_ITEM=16.group=256") == std::nullopt);
}

TEST_CASE("kernel variants: constants in several buffers are a program of their own where one holds little") {
  const DeviceInfo gpu = imagined_gpu(Api::vulkan, "nvidia");
  const auto all = kernel_variants(gpu, {find_experiment("latency")});
  const std::string name = "FORM=FORM_INDEX.PATH=PATH_CONSTANT.group=1";
  CHECK(variant(all, "latency." + name).turn == Turn{reads(MemoryPath::constant, 4, 31)});
  const KernelVariant& several = variant(all, "latency.CONSTANT_BUFFERS=16." + name);
  CHECK(several.turn == Turn{reads(MemoryPath::constant, 4, 32)});
  CHECK(several.desc.constants.size() == 68 * kKiB);
  CHECK(vulkan_module(several, gpu).size() > 5);
  CHECK(vulkan_module(variant(all, "latency.CONSTANT_BUFFERS=16.CONTROL=1." + name), gpu).size() > 5);
  for (const KernelVariant& each : kernel_variants(imagined_gpu(Api::opencl, "nvidia"), {find_experiment("latency")}))
    CHECK(each.desc.constant_buffers == 1);
}

TEST_CASE("kernel variants: roles, and kernels without a loop") {
  const auto all = variants("nvidia", {"dram-bandwidth", "latency"});
  const KernelVariant& chase = variant(all, "latency.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=32");
  CHECK(chase.role == KernelRole::timed);
  CHECK(chase.has_loop);
  CHECK(chase.experiments == std::set<std::string>{"latency"});
  CHECK(variant(all, "latency.CONTROL=1.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=32").role == KernelRole::control);
  CHECK(std::ranges::find(all, "chunk_sums", [](const auto& each) { return each.desc.name; })->role == KernelRole::helper);
  const auto stream = std::ranges::find_if(all, [](const auto& each) { return each.desc.name == "dram_bandwidth" && each.turn; });
  REQUIRE(stream != all.end());
  CHECK_FALSE(stream->has_loop);
}

TEST_CASE("kernel variants: a recording device holds no memory, reads as zeros and keeps its kernels") {
  RecordingDevice device(imagined_gpu(Api::opencl, "intel"));
  const auto buffer = device.create(BufferDesc{1024 * kGiB});
  std::vector<std::uint32_t> words(4, 7);
  device.read(*buffer, 0, std::as_writable_bytes(std::span(words)), HostMemory::pinned);
  CHECK(words == std::vector<std::uint32_t>(4, 0));
  KernelDesc desc;
  for (const char* name : {"one", "two"}) {
    desc.name = name;
    device.create(desc);
  }
  REQUIRE(device.kernels().size() == 2);
  CHECK(device.kernels()[1]->desc.name == "two");
}

}  // namespace percycle::kernel_variants_test

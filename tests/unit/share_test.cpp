#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <variant>

#include "check_words.hpp"
#include "store/known_text.hpp"
#include "store/record_json.hpp"
#include "store/share.hpp"
#include "unit/store_examples.hpp"
#include "vocabulary/l2_map.hpp"

namespace percycle::share_test {
namespace {

TEST_CASE("share: a text ends before its first unknown word") {
  for (const char* secret : {"-I/home/alice/x",
                             "/home/alice/My Documents/x.cl",
                             "file:///home/alice/x",
                             "C:/Users/alice/x",
                             "\\\\fileserver\\alice\\x",
                             "|/home/alice/x",
                             ">/home/alice/x",
                             "{/home/alice/x}",
                             "%HOME%\\x",
                             "PATH=/usr/bin:/home/alice",
                             "../../alice/x",
                             "~/alice",
                             "$HOME/x",
                             "Serial Number: ALICE",
                             "1320456",
                             "serial=0321alice",
                             "vm.lan",
                             "alice@vm",
                             "192.168.1.77",
                             "aa:bb:cc:dd:ee:ff",
                             "061938f8 8ad7f6b2 13af6d24 154fe6cd",
                             "0x061938f88ad7f6b213af6d24154fe6cd",
                             "GPU-061938f8-8ad7-f6b2-13af-6d24154fe6cd",
                             "GPU-061938f8",
                             "0000:17:00.0",
                             "17:00.0",
                             "/root",
                             "'/home/alice/x'",
                             "C:\\Program Files\\Alice\\x",
                             "BoardSerial 165"}) {
    CAPTURE(secret);
    CHECK(known_part(secret) == "...");
    CHECK(known_part(std::string("the driver says: ") + secret + " and more") == "the driver says: ...");
  }
  CHECK(known_part("S/N 1320456") == "S/N ...");
  CHECK(known_part("user alice@vm") == "user ...");
}

TEST_CASE("share: figures, units, operations and short versions stay") {
  for (const char* text : {"128 B/unit/cycle at 1980 MHz", "and/or", "Mesa 22.3.6", "a chain of 12", "/ 4", "sm_90", "",
                           "one fp32-fma is 3 instructions", "8 products (128x64x32) are 2048 HMMA.16816.F32.BF16 here",
                           "vendor id: 0x8086 is Intel's, the name says 'AuthenticAMD'", "no VK_EXT_pci_bus_info",
                           "{u} div (irregular)", "<name> ...", "2.5 GHz", "1.5e-3 of 50%", "PTX %smid"}) {
    CAPTURE(text);
    CHECK(known_part(text) == text);
  }
}

TEST_CASE("share: names of models, drivers and systems stay, secrets in them do not") {
  for (const char* name :
       {"NVIDIA H200", "Intel(R) Xeon(R) Processor @ 2.80GHz", "AMD Radeon RX 7900 XT (RADV NAVI31)",
        "llvmpipe (LLVM 15.0.6, 256 bits)", "31.0.101.4502", "3.1+debian", "PTX %globaltimer", "Intel(R) Graphics [0x46a6]"}) {
    CAPTURE(name);
    CHECK(plain_name(name) == name);
  }
  for (const char* secret :
       {"/home/alice", "GPU-061938f88ad7", "0000:17:00.0", "1652922004711", "alice@vm", "file://x", "\\\\x\\y"}) {
    CAPTURE(secret);
    CHECK(plain_name(std::string("NVIDIA H200 ") + secret) == "NVIDIA H200 ...");
  }
}

/// Groups of tests/words.txt whose texts are in records.
const std::set<std::string> kRecorded{
    "atomic-latency",
    "atomic-throughput",
    "bandwidth-trial",
    "cache-bandwidth",
    "clock",
    "codegen",
    "dram-bandwidth",
    "execution-mode",
    "handover",
    "l1-bandwidth",
    "latency",
    "launch",
    "local-bandwidth",
    "matrix",
    "measurer",
    "memory",
    "peer",
    "private-caches",
    "queues",
    "residency",
    "subgroup-check",
    "sustained",
    "telemetry",
    "texture-bandwidth",
    "texture-latency",
    "ticks",
    "timer-fault",
};

TEST_CASE("share: every word of percycle's own texts is known") {
  for (const auto& entry : golden_words()) {
    const auto& name = entry.first;
    const auto& text = entry.second;
    if (!kRecorded.contains(name.substr(0, name.find('.'))) || text.starts_with("--set")) continue;
    const std::string counted = std::regex_replace(text, std::regex("0x[0-9a-f]{5,}|[0-9]{7,}"), "1");
    CHECK_MESSAGE(known_part(counted) == counted, name);
  }
}

TEST_CASE("share: a header keeps compared values and one identity per card") {
  Header header = examples::header();
  header.device.uuid = "00112233445566778899aabbccddeeff";
  header.device.pci = "0000:3b:00.0";
  header.device.driver_manifest = "/etc/OpenCL/vendors/nvidia.icd";
  header.device.peers = {{.index = 2, .name = "Tesla T4", .pci = "0000:3c:00.0"}};
  header.device.name = "Tesla T4";
  header.device.lacks = {"no clock on T4"};
  Header other = header;
  other.id = "1111111111111111";
  Header another_card = header;
  another_card.id = "2222222222222222";
  another_card.identity = "pci:0000:3c:00.0";

  Sharer sharer({"T4"});
  const Header first = std::get<Header>(sharer.share(header));
  CHECK(first.identity == "shared:0123456789abcdef");
  CHECK(!first.device.uuid);
  CHECK(!first.device.pci);
  CHECK(first.device.driver_manifest.empty());
  CHECK(first.device.peers == std::vector<PeerDevice>{{2, "Tesla T4"}});
  CHECK(first.device.name == "Tesla T4");
  CHECK(first.device.lacks == std::vector<std::string>{"no clock on <name>"});
  CHECK(first.device.driver == header.device.driver);
  CHECK(first.options == header.options);
  CHECK(std::get<Header>(sharer.share(other)).identity == first.identity);
  CHECK(std::get<Header>(sharer.share(another_card)).identity == "shared:2222222222222222");
  Header cpu = header;
  cpu.identity = "cpu:Some CPU";
  CHECK(std::get<Header>(sharer.share(cpu)).identity == "cpu:Some CPU");
}

TEST_CASE("share: a simulated device keeps the name of its model's file, not the folder") {
  Header header = examples::simulated_header();
  header.device.model = "/home/alice/models/t4.toml";
  CHECK(std::get<Header>(Sharer({}).share(header)).device.model == "t4.toml");
}

TEST_CASE("share: the host's name goes in capitals, too; the kernel's version loses a build's addition") {
  Header header = examples::header();
  header.os = "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-alice x86_64";
  header.device.lacks = {"no clock on VM", "on vm-1 and vms"};
  const Header shared = std::get<Header>(Sharer({"vm"}).share(header));
  CHECK(shared.os == "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64");
  CHECK(shared.device.lacks == std::vector<std::string>{"no clock on <name>", "on ..."});
}

TEST_CASE("share: a point of a chip map is known") {
  PointRecord record = examples::ok(1024, 20);
  CHECK_FALSE(maps_chip(record));
  record.result.point.experiment = experiment::kL2Map;
  CHECK(maps_chip(record));
}

TEST_CASE("share: documents stay as they are") {
  Header header = examples::published_header();
  CHECK(to_json(Record(Sharer({}).share(header))) == to_json(Record(header)));
}

TEST_CASE("share: a point keeps every number and loses secrets in its texts") {
  PointRecord record = examples::ok(1024, 20);
  record.result.measurement->warnings = {"2 spills"};
  CHECK(to_json(Record(Sharer({}).share(record))) == to_json(Record(record)));
  record.result.measurement->warnings = {"read /home/alice/x"};
  record.result.measurement->observed["telemetry"] = "NVML on 0000:3b:00.0";
  record.result.point.parameters["path"] = std::string("alice");  // an experiment's own word
  const PointRecord shared = std::get<PointRecord>(Sharer({"alice"}).share(record));
  CHECK(shared.result.measurement->warnings == std::vector<std::string>{"read ..."});
  CHECK(shared.result.measurement->observed.at("telemetry") == "NVML on ...");
  CHECK(shared.result.point == record.result.point);
}

}  // namespace
}  // namespace percycle::share_test

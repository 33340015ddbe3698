#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "store/record_json.hpp"
#include "store/secrets.hpp"
#include "store/share.hpp"
#include "unit/store_examples.hpp"

namespace percycle::share_test {
namespace {

TEST_CASE("share: a text loses the identity of card and machine") {
  const auto clean = [](const char* text) { return without_secrets(text, {"lab-7", "alice"}); };
  CHECK(clean("GPU-d55f0075-d2a9-5d21-dd50-35fbe2c26140 is lost") == "<uuid> is lost");
  CHECK(clean("uuid D55F0075D2A95D21DD5035FBE2C26140.") == "uuid <uuid>.");
  CHECK(clean("at 0000:3b:00.0, 3B:00.1 and 00000000:3b:00.0") == "at <pci>, <pci> and <pci>");
  CHECK(clean("serial number: 1652922001234, Serial AB-12") == "serial number <serial>, Serial <serial>");
  CHECK(clean("no /usr/local/cuda/bin/ptxas (/tmp/x.ptx:12) ~/a ../b") == "no <path> (<path>:12) <path> <path>");
  CHECK(clean("file=/home/alice/x \"/opt/y\" C:\\Users\\alice\\z") == "file=<path> \"<path>\" <path>");
  CHECK(clean("lab-7: alice ran on lab-7.example, not on lab-77 or malice") ==
        "<name>: <name> ran on <name>.example, not on lab-77 or malice");
}

TEST_CASE("share: figures, units, times and hashes stay") {
  for (const char* text : {"128 B/unit/cycle at 1980 MHz", "and/or", "Mesa 22.3.6", "2026-11-21T09:30:00Z", "fedcba9876543210",
                           "Linux 6.1.0-18-amd64 x86_64", "a serial chain of 12", "/ 4", "sm_90", ""}) {
    CHECK(without_secrets(text, {"lab-7"}) == text);
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

TEST_CASE("share: a point keeps every number and loses secrets in its texts") {
  PointRecord record = examples::ok(1024, 20);
  CHECK(to_json(Record(Sharer({}).share(record))) == to_json(Record(record)));
  record.result.measurement->warnings = {"read /home/alice/x"};
  record.result.measurement->observed["telemetry"] = "NVML on 0000:3b:00.0";
  record.result.point.parameters["path"] = std::string("alice");  // an experiment's own word
  const PointRecord shared = std::get<PointRecord>(Sharer({"alice"}).share(record));
  CHECK(shared.result.measurement->warnings == std::vector<std::string>{"read <path>"});
  CHECK(shared.result.measurement->observed.at("telemetry") == "NVML on <pci>");
  CHECK(shared.result.point == record.result.point);
}

}  // namespace
}  // namespace percycle::share_test

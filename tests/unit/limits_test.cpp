#include "limits/limits.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "check_words.hpp"
#include "core/error.hpp"
#include "limits/catalogue_text.hpp"
#include "limits/limit_entry.hpp"
#include "platform/tool.hpp"

namespace percycle::limits_test {
namespace {

constexpr const char* kFile = R"([sources]
paper = "A paper, table 1"

[[architecture]]
names = ["Hopper", "Ada"]
note = "of both"
load = { value = 128, source = "paper", quoted = "128 B/clk" }
texel = [
  { value = 64, texel_bytes = [8, 16], source = "paper", quoted = "64" },
  { value = 32, texel_bytes = [4], source = "paper", quoted = "32", note = "half" },
]

[[device]]
name = "NVIDIA H200"
pattern = '\bH200\b'
architecture = "Hopper"
units = { value = 132, source = "paper", quoted = "132 SMs" }
)";

/// The error for kFile in which the first `from` is replaced by `to`.
std::string refusal(const std::string& from, const std::string& to) {
  std::string text = kFile;
  text.replace(text.find(from), from.size(), to);
  try {
    parse_limit_entries(text, "l.toml", Provenance::user);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

DeviceInfo device(std::string vendor, std::string name) {
  DeviceInfo info;
  info.type = DeviceType::gpu;
  info.vendor = std::move(vendor);
  info.name = std::move(name);
  return info;
}

/// "device H200 / Hopper: load 128, units 132": the match and its figures in order.
std::string summary(const DeviceLimits& found) {
  std::string text = fmt::format("{} {} / {}:", to_string(found.match), found.device, found.architecture);
  for (const Limit& limit : found.limits) {
    text += fmt::format(" {}", name_of(limit.quantity).key);
    for (const std::uint32_t size : limit.texel_bytes) text += fmt::format("/{}", size);
    text += fmt::format(" {}{}", limit.value, limit.provenance == Provenance::user ? "!" : "");
  }
  return text;
}

/// The digits of a figure as a source may print it: "1,590", "1.04 GHz" for 1040.
bool stands_in(double value, const std::string& quoted) {
  std::string digits = quoted;
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const std::string wanted = fmt::format("{}", value);
  for (auto at = digits.find(wanted); at != std::string::npos; at = digits.find(wanted, at + 1)) {
    const auto is_digit = [&](std::size_t i) {
      return i < digits.size() && std::isdigit(static_cast<unsigned char>(digits[i])) != 0;
    };
    const std::size_t end = at + wanted.size();
    const bool goes_on =
        is_digit(end) || (end < digits.size() && digits[end] == '.' && is_digit(end + 1) && digits[end + 1] != '0');
    if (!goes_on && (at == 0 || !is_digit(at - 1))) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("limits.toml: every figure has a source and a quote, and is in the quote or follows from it by a note") {
  const auto entries = parse_limit_entries(catalogue_text("limits.toml"), "limits.toml", Provenance::catalogue);
  int figures = 0;
  for (const LimitEntry& entry : entries) {
    for (const Limit& limit : entry.limits) {
      CAPTURE(entry.name);
      CAPTURE(name_of(limit.quantity).key);
      CHECK(limit.source.size() > 10);
      CHECK(!limit.quoted.empty());
      CHECK(limit.provenance == Provenance::catalogue);
      CHECK((!limit.note.empty() || stands_in(limit.value, limit.quoted)));
      ++figures;
    }
  }
  CHECK(figures > 150);
}

TEST_CASE("limits.toml: names that drivers report identify the device") {
  const LimitsCatalogue catalogue = limits_catalogue();
  const auto name_of_device = [&](std::string vendor, std::string name) {
    return find_limits(catalogue, device(std::move(vendor), std::move(name))).device;
  };
  CHECK(name_of_device("NVIDIA", "NVIDIA H200") == "H200");
  CHECK(name_of_device("NVIDIA", "NVIDIA H200 NVL") == "H200");
  CHECK(name_of_device("NVIDIA", "NVIDIA H100 PCIe") == "H100 PCIe");
  CHECK(name_of_device("NVIDIA", "NVIDIA H100 80GB HBM3") == "H100 SXM");
  CHECK(name_of_device("NVIDIA", "NVIDIA A100-SXM4-40GB") == "A100-SXM4-40GB");
  CHECK(name_of_device("NVIDIA", "NVIDIA A100 80GB PCIe") == "A100");
  CHECK(name_of_device("NVIDIA", "Tesla T4") == "T4");
  CHECK(name_of_device("NVIDIA", "NVIDIA GeForce RTX 4090") == "GeForce RTX 4090");
  CHECK(name_of_device("NVIDIA", "NVIDIA GeForce RTX 4090 Laptop GPU").empty());
  CHECK(name_of_device("NVIDIA", "NVIDIA GeForce GTX 1080 Ti").empty());
  CHECK(name_of_device("NVIDIA", "Tesla K80") == "K80");
  CHECK(name_of_device("NVIDIA", "NVIDIA GeForce GTX 650") == "GeForce GTX 650");
  CHECK(name_of_device("NVIDIA", "NVIDIA GeForce GTX 650 Ti").empty());
  CHECK(name_of_device("AMD", "AMD Radeon RX 6900 XT (RADV NAVI21)") == "Radeon RX 6900 XT");
  CHECK(name_of_device("AMD", "AMD Radeon RX 7900 XTX") == "Radeon RX 7900 XTX");
  CHECK(name_of_device("AMD", "AMD Radeon R9 390 Series (RADV HAWAII)") == "Radeon R9 390");
  CHECK(name_of_device("AMD", "AMD Instinct MI300X") == "MI300X");
  CHECK(name_of_device("Intel", "Intel(R) HD Graphics 530 (SKL GT2)") == "HD Graphics 530");
  CHECK(name_of_device("Intel", "Intel(R) Arc(tm) A770 Graphics (DG2)") == "Arc A770");
  CHECK(name_of_device("Intel", "Intel(R) UHD Graphics 600 (GLK 2)") == "UHD Graphics 600");
}

TEST_CASE("limits of the H200: its own, then its architecture's") {
  const DeviceLimits found = find_limits(limits_catalogue(), device("NVIDIA", "NVIDIA H200"));
  CHECK(summary(found) ==
        "device H200 / Hopper: load 128 texel 128 local 128 memory_gb_s 4800 fp32 128 fp64 64 fp16 256 int32 64 int32_mul 64 "
        "special 16 matrix_fp16 4096 matrix_tf32 2048 matrix_fp64 256 matrix_fp8 8192 matrix_int8 8192 lanes 128");
  REQUIRE(found.find(Quantity::load) != nullptr);
  CHECK(found.find(Quantity::load)->entry == "Hopper");
  CHECK(found.find(Quantity::memory)->entry == "H200");
  CHECK(found.find(Quantity::texel, 16)->entry == "Hopper");
}

TEST_CASE("limits of architectures: the rates of their execution units and matrix engines") {
  const auto rates = [](const char* architecture) {
    std::string text;
    for (const Limit& limit : find_limits(limits_catalogue(), architecture, {}).limits) {
      if (limit.quantity < Quantity::fp32 || limit.quantity > Quantity::matrix_int8) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : " ", name_of(limit.quantity).key, limit.value);
    }
    return text;
  };
  CHECK(rates("Turing") == "fp32 64 fp64 2 fp16 128 int32 64 int32_mul 64 special 16 matrix_fp16 1024 matrix_int8 2048");
  CHECK(rates("Fermi") == "fp32 32 fp64 16 int32 32 int32_mul 16 special 4");
  CHECK(rates("CDNA4") == "fp32 128 fp64 64 fp16 128 matrix_fp16 4096 matrix_fp64 128 matrix_fp8 8192 matrix_int8 8192");
  CHECK(rates("CDNA3") == "fp32 128 fp64 64 matrix_fp16 2048 matrix_tf32 1024 matrix_fp64 256 matrix_fp8 4096 matrix_int8 4096");
  CHECK(rates("CDNA2") == "fp32 128 fp64 64 matrix_fp16 1024 matrix_fp64 256 matrix_int8 1024");
  CHECK(rates("CDNA1") == "fp32 64 fp64 32 special 16 matrix_fp16 1024 matrix_int8 1024");
  // A WGP has two of the CUs that AMD counts.
  CHECK(rates("RDNA4") == "matrix_fp16 2048 matrix_int8 4096");
  CHECK(rates("RDNA3") == "fp32 256 matrix_fp16 1024 matrix_int8 1024");
  CHECK(rates("RDNA3.5") == "fp32 256");
  CHECK(rates("RDNA2") == "fp32 128 fp16 256 special 32");
  CHECK(rates("GCN5") == "fp32 64 special 16");
  CHECK(rates("Xe-LP") == "fp32 128 fp16 256 int32 128 special 32");
}

TEST_CASE("limits of a device that is not listed are its architecture's; of an unknown one there are none") {
  const LimitsCatalogue catalogue = limits_catalogue();
  const DeviceLimits ada = find_limits(catalogue, device("NVIDIA", "NVIDIA GeForce RTX 4060"));
  CHECK(ada.match == DeviceLimits::Match::architecture);
  CHECK(ada.architecture == "Ada");
  CHECK(ada.device.empty());
  CHECK(ada.find(Quantity::local)->value == 128);
  CHECK(ada.find(Quantity::units) == nullptr);

  for (const char* name : {"Apple M2", "Mali-G78", "Adreno (TM) 740"}) {
    CHECK(summary(find_limits(catalogue, device("Someone", name))) == "unknown  / :");
  }
  DeviceInfo cpu = device("Intel", "Intel(R) Xeon(R) HD Graphics 530");
  cpu.type = DeviceType::cpu;
  CHECK(summary(find_limits(catalogue, cpu)) == "unknown  / CPU:");
  DeviceInfo simulated = device("NVIDIA", "Simulated Tesla T4");
  simulated.api = Api::sim;
  CHECK(find_limits(catalogue, simulated).match == DeviceLimits::Match::unknown);

  std::string own = kFile;
  const std::string line = "architecture = \"Hopper\"\n";
  own.replace(own.find(line), line.size(), "");
  simulated.name = "Simulated H200";
  CHECK(summary(find_limits(parse_limit_entries(own, "own", Provenance::user), simulated)) ==
        "device NVIDIA H200 / : units 132!");
  CHECK(find_limits(parse_limit_entries(own, "own", Provenance::catalogue), simulated).match == DeviceLimits::Match::unknown);
}

TEST_CASE("limits of a card are found by any of its devices' names") {
  Card card;
  card.devices = {device("AMD", "gfx1030"), device("AMD", "AMD Radeon RX 6900 XT (RADV NAVI21)")};
  card.devices[0].compute_capability = "gfx1030";
  CHECK(find_limits(limits_catalogue(), card).device == "Radeon RX 6900 XT");
  card.devices[0].api = Api::sim;
  CHECK(find_limits(limits_catalogue(), card).match == DeviceLimits::Match::unknown);
}

TEST_CASE("limits of a part of a card are its units', never the whole card's") {
  const LimitsCatalogue catalogue = limits_catalogue();
  const auto whole_limits = [](const DeviceLimits& found) {
    return std::ranges::count_if(found.limits, [](const Limit& limit) {
      return limit.quantity == Quantity::units || name_of(limit.quantity).per == Per::second ||
             name_of(limit.quantity).per == Per::device_cycle;
    });
  };
  DeviceInfo slice = device("NVIDIA", "NVIDIA H100 80GB HBM3 MIG 1g.10gb");
  const DeviceLimits of_slice = find_limits(catalogue, slice);
  CHECK(of_slice.match == DeviceLimits::Match::architecture);
  CHECK(of_slice.find(Quantity::load)->value == 128);
  CHECK(whole_limits(of_slice) == 0);
  CHECK(of_slice.notes.back() == "MIG slice: percycle leaves out the limits of the whole card");
  CHECK(whole_limits(*find_limits_called(catalogue, slice.name)) == 0);
  CHECK(whole_limits(find_limits(catalogue, Card{"", {slice}})) == 0);

  DeviceInfo by_nvml = device("NVIDIA", "NVIDIA H100 80GB HBM3");
  CHECK(whole_limits(find_limits(catalogue, by_nvml)) > 0);
  by_nvml.part = "MIG slice";
  CHECK(whole_limits(find_limits(catalogue, by_nvml)) == 0);
  CHECK(whole_limits(find_device_limits(catalogue, "Hopper", by_nvml)) == 0);

  DeviceInfo by_units = device("AMD", "AMD Instinct MI300X");
  by_units.units = {304, Provenance::reported};
  CHECK(whole_limits(find_limits(catalogue, by_units)) > 0);
  by_units.units = {38, Provenance::reported};  // CPX
  const DeviceLimits of_partition = find_limits(catalogue, by_units);
  CHECK(whole_limits(of_partition) == 0);
  CHECK(of_partition.notes.back() == "partition (38 of 304 units): percycle leaves out the limits of the whole card");

  // The user's own figures are for the names that they give.
  const std::string own =
      "[sources]\nmine = \"Mine\"\n[[device]]\nname = \"MIG 1g\"\npattern = 'MIG 1g'\nunits = { value = 16, source = "
      "\"mine\", quoted = \"16\" }\n";
  CHECK(find_limits(parse_limit_entries(own, "own", Provenance::user), slice).find(Quantity::units)->value == 16);
}

TEST_CASE("a device through a layer has neither an architecture nor limits") {
  DeviceInfo dozen = device("NVIDIA", "Microsoft Direct3D12 (NVIDIA GeForce RTX 3090)");
  dozen.platform = "Dozen";
  CHECK(summary(find_limits(limits_catalogue(), dozen)) == "unknown  / :");
  CHECK(summary(find_device_limits(limits_catalogue(), "Ampere", dozen)) == "unknown  / :");
  CHECK(find_limits(limits_catalogue(), Card{"", {dozen}}).match == DeviceLimits::Match::unknown);
}

TEST_CASE("limits of texels are of their size") {
  const auto entries = parse_limit_entries(kFile, "l.toml", Provenance::user);
  const DeviceLimits found = find_limits(entries, "Hopper", {});
  CHECK(summary(found) == "architecture  / Hopper: load 128! texel/8/16 64! texel/4 32!");
  CHECK(found.find(Quantity::texel, 4)->value == 32);
  CHECK(found.find(Quantity::texel, 16)->value == 64);
  CHECK(found.find(Quantity::texel, 2) == nullptr);
  CHECK(found.find(Quantity::texel) == nullptr);
  CHECK(found.find(Quantity::load, 4)->value == 128);
  CHECK(found.notes == std::vector<std::string>{"of both"});
}

TEST_CASE("limits: the note of an entry appears only with one of its figures") {
  auto entries = parse_limit_entries(kFile, "l.toml", Provenance::user);
  const auto behind = parse_limit_entries(kFile, "l.toml", Provenance::catalogue);
  entries.insert(entries.end(), behind.begin(), behind.end());
  entries.back().note = "of a device whose figures go unused";
  const DeviceLimits found = find_limits(entries, "Hopper", {"NVIDIA H200"});
  CHECK(found.notes == std::vector<std::string>{"of both"});
}

TEST_CASE("a user's own file goes before the built-in figures, value by value, and says so") {
  const TemporaryFolder folder;
  const auto path = folder.write("limits.toml", R"([sources]
mine = "My own reading"
[[architecture]]
names = ["Hopper"]
load = { value = 120, source = "mine", quoted = "120" }
l2 = { value = 64, source = "mine", quoted = "64" }
[[device]]
name = "My H200"
pattern = 'H200'
memory_gb_s = { value = 5000, source = "mine", quoted = "5000" }
[[device]]
name = "Adreno"
pattern = 'Adreno'
local = { value = 32, source = "mine", quoted = "32" }
)");
  const LimitsCatalogue catalogue = limits_catalogue(path);
  CHECK(summary(find_limits(catalogue, device("NVIDIA", "NVIDIA H200"))) ==
        "device My H200 / Hopper: load 120! texel 128 local 128 l2 64! memory_gb_s 5000! fp32 128 fp64 64 fp16 256 int32 64 "
        "int32_mul 64 special 16 matrix_fp16 4096 matrix_tf32 2048 matrix_fp64 256 matrix_fp8 8192 matrix_int8 8192 "
        "lanes 128");
  CHECK(summary(find_limits(catalogue, device("Qualcomm", "Adreno (TM) 740"))) == "device Adreno / : local 32!");
  CHECK(limits_catalogue().size() + 3 == catalogue.size());
}

TEST_CASE("an unreadable or invalid file of the user is named") {
  CHECK_THROWS_WORDS("limits.unreadable", UsageError, limits_catalogue("/nonexistent/l.toml"));
  const TemporaryFolder folder;
  const std::string name = folder.path().string();
  CHECK_WORDS("limits.folder", masked(words_thrown<UsageError>([&] { limits_catalogue(name); }), name));
}

TEST_CASE("a limits file is read strictly: each refusal names the line") {
  CHECK(refusal("132 SMs", "132 SMs") == "accepted");
  // No figure without its source and quote.
  CHECK_WORDS("limits.empty-quote", refusal(", quoted = \"128 B/clk\"", ""));
  CHECK_WORDS("limits.empty-quote", refusal("quoted = \"128 B/clk\"", "quoted = \"\""));
  CHECK_WORDS("limits.empty-source", refusal(", source = \"paper\", quoted = \"128", ", quoted = \"128"));
  CHECK_WORDS("limits.unknown-source", refusal("source = \"paper\"", "source = \"rumour\""));
  CHECK_WORDS("limits.source-text", refusal("paper = \"A paper, table 1\"", "paper = \"\""));
  for (const std::string blank : {" ", "\\t", "\\n \\r"}) {
    CHECK_WORDS("limits.empty-quote", refusal("quoted = \"128 B/clk\"", "quoted = \"" + blank + "\""));
    CHECK_WORDS("limits.source-text", refusal("paper = \"A paper, table 1\"", "paper = \"" + blank + "\""));
    CHECK_WORDS("limits.names-list", refusal("\"Hopper\", \"Ada\"", "\"Hopper\", \"" + blank + "\""));
  }
  CHECK_WORDS("limits.source-uncited", refusal("[[architecture]]", "other = \"Another paper\"\n[[architecture]]"));
  CHECK_WORDS("limits.sources-table", refusal("[sources]\npaper = \"A paper, table 1\"", ""));
  CHECK_WORDS("limits.figure-table", refusal("load = { value = 128, source = \"paper\", quoted = \"128 B/clk\" }", "load = 128"));

  CHECK_WORDS("limits.value-positive", refusal("value = 128", "value = 0"));
  CHECK_WORDS("limits.value-positive", refusal("value = 128", "value = -1"));
  CHECK_WORDS("limits.value-positive", refusal("value = 128", "value = inf"));
  CHECK_WORDS("limits.value-positive", refusal("value = 128", "value = nan"));
  CHECK_WORDS("limits.value-number", refusal("value = 128", "value = \"128\""));
  CHECK_WORDS("limits.value-number", refusal("value = 128, ", ""));
  CHECK_WORDS("limits.value-whole", refusal("value = 132", "value = 131.5"));

  CHECK_WORDS("limits.texel-bytes", refusal("[8, 16]", "[16, 8]"));
  CHECK_WORDS("limits.texel-bytes", refusal("[8, 16]", "[3]"));
  CHECK_WORDS("limits.texel-bytes", refusal("[8, 16]", "[]"));
  CHECK_WORDS("limits.texel-twice", refusal("texel_bytes = [4]", "texel_bytes = [8]"));
  CHECK_WORDS("limits.unknown-texel-bytes", refusal("{ value = 128,", "{ texel_bytes = [4], value = 128,"));

  CHECK_WORDS("limits.unknown-unit-architecture", refusal("\"Ada\"", "\"Adda\""));
  CHECK_WORDS("limits.unknown-device-architecture", refusal("architecture = \"Hopper\"", "architecture = \"Hoper\""));
  CHECK_WORDS("limits.names-list", refusal("names = [\"Hopper\", \"Ada\"]", "names = \"Hopper\""));
  CHECK_WORDS("limits.unknown-unit-key",
              refusal("note = \"of both\"", "units = { value = 1, source = \"paper\", quoted = \"1\" }"));
  CHECK_WORDS("limits.pattern-without-name", refusal("'\\bH200\\b'", "'H100'"));
  CHECK_WORDS("limits.no-expression", refusal("'\\bH200\\b'", "'('"));
  // It takes no time, however often it repeats a repetition.
  CHECK_WORDS("limits.pattern-without-name", refusal("'\\bH200\\b'", "'H20" + std::string(120, '*') + "ga102'"));
  CHECK_WORDS("limits.unknown-device-key", refusal("units", "speed"));
  CHECK_WORDS("limits.no-figure", refusal("units = { value = 132, source = \"paper\", quoted = \"132 SMs\" }", ""));
  CHECK_WORDS(
      "limits.device-twice",
      refusal("132 SMs\" }",
              "132 SMs\" }\n[[device]]\nname = \"NVIDIA H200\"\npattern = 'H200'\nunits = { value = 1, source = \"paper\", "
              "quoted = \"1\" }"));
  CHECK_WORDS(
      "limits.load-twice",
      refusal("[[device]]",
              "[[architecture]]\nnames = [\"Ada\"]\nload = { value = 1, source = \"paper\", quoted = \"1\" }\n[[device]]"));
  CHECK_WORDS("limits.unknown-key", refusal("[[device]]", "[[devices]]"));
  CHECK(refusal("[sources]", "[sources").starts_with("l.toml:1: "));
}

TEST_CASE("limits by name: the catalogue's names in any case, a driver's name, else similar names") {
  const LimitsCatalogue catalogue = limits_catalogue();
  CHECK(find_limits_by_name(catalogue, "h200").device == "H200");
  // No rule recognises the architecture by this name.
  CHECK(find_limits_by_name(catalogue, "radeon hd 7950").device == "Radeon HD 7950");
  CHECK(find_limits_by_name(catalogue, "b580").device == "Arc B580");
  CHECK(find_limits_by_name(catalogue, "b580").architecture == "Xe2");
  CHECK(find_limits_by_name(catalogue, "hopper").match == DeviceLimits::Match::architecture);
  CHECK(find_limits_by_name(catalogue, "NVIDIA H200").device == "H200");
  CHECK(find_limits_by_name(catalogue, "NVIDIA GeForce RTX 4060").architecture == "Ada");
  CHECK_THROWS_WITH_AS(find_limits_by_name(catalogue, "Hoper"), "no limits are known for 'Hoper'; similar names: Hopper",
                       UsageError);
  CHECK_THROWS_WITH_AS(find_limits_by_name(catalogue, "Mali"), "no limits are known for 'Mali' (percycle limits lists all)",
                       UsageError);
}

}  // namespace percycle::limits_test

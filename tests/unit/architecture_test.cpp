#include "limits/architecture.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "check_words.hpp"
#include "core/error.hpp"
#include "limits/architecture_rules.hpp"
#include "limits/catalogue_text.hpp"

namespace percycle::architecture_test {

namespace {

DeviceInfo device(std::string vendor, std::string name, std::optional<std::string> capability = std::nullopt) {
  DeviceInfo info;
  info.vendor = std::move(vendor);
  info.name = std::move(name);
  info.compute_capability = std::move(capability);
  info.type = DeviceType::gpu;
  return info;
}

/// "Hopper SM", or "unknown".
std::string recognised(const DeviceInfo& info) {
  const auto architecture = recognise(info);
  return architecture ? architecture->name + " " + architecture->unit_name : "unknown";
}

std::string by_name(std::string vendor, std::string name) { return recognised(device(std::move(vendor), std::move(name))); }
std::string by_capability(std::string vendor, std::string text) {
  return recognised(device(std::move(vendor), "?", std::move(text)));
}

std::string refusal(std::string_view toml) {
  try {
    parse_architecture_rules(toml, "rules.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

UnitCount counted(std::uint32_t units, Api api, std::string platform, std::string name) {
  DeviceInfo info = device("AMD", std::move(name));
  info.api = api;
  info.platform = std::move(platform);
  info.units = Sourced<std::uint32_t>{units, Provenance::reported};
  return unit_count(info, recognise(info));
}

}  // namespace

TEST_CASE("NVIDIA by compute capability") {
  CHECK(by_capability("NVIDIA", "2.0") == "Fermi SM");
  CHECK(by_capability("NVIDIA", "3.7") == "Kepler SM");
  CHECK(by_capability("NVIDIA", "5.2") == "Maxwell SM");
  CHECK(by_capability("NVIDIA", "6.1") == "Pascal SM");
  CHECK(by_capability("NVIDIA", "7.0") == "Volta SM");
  CHECK(by_capability("NVIDIA", "7.5") == "Turing SM");
  CHECK(by_capability("NVIDIA", "8.0") == "Ampere SM");
  CHECK(by_capability("NVIDIA", "8.6") == "Ampere SM");
  CHECK(by_capability("NVIDIA", "8.9") == "Ada SM");
  CHECK(by_capability("NVIDIA", "9.0") == "Hopper SM");
  CHECK(by_capability("NVIDIA", "10.0") == "Blackwell SM");
  CHECK(by_capability("NVIDIA", "12.1") == "Blackwell SM");
  CHECK(by_capability("NVIDIA", "99.0") == "unknown");
}

TEST_CASE("NVIDIA by name") {
  CHECK(by_name("NVIDIA", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition") == "Blackwell SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce RTX 5090") == "Blackwell SM");
  CHECK(by_name("NVIDIA", "NVIDIA B200") == "Blackwell SM");
  CHECK(by_name("NVIDIA", "NVIDIA H200") == "Hopper SM");
  CHECK(by_name("NVIDIA", "NVIDIA H100 80GB HBM3") == "Hopper SM");
  CHECK(by_name("NVIDIA", "NVIDIA GH200 480GB") == "Hopper SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce RTX 4090 Laptop GPU") == "Ada SM");
  CHECK(by_name("NVIDIA", "NVIDIA RTX 6000 Ada Generation") == "Ada SM");
  CHECK(by_name("NVIDIA", "NVIDIA L40S") == "Ada SM");
  CHECK(by_name("NVIDIA", "NVIDIA A100-SXM4-40GB") == "Ampere SM");
  CHECK(by_name("NVIDIA", "NVIDIA A10") == "Ampere SM");
  CHECK(by_name("NVIDIA", "NVIDIA RTX A6000") == "Ampere SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce RTX 3070 (NVK GA104)") == "Ampere SM");
  CHECK(by_name("NVIDIA", "Tesla T4") == "Turing SM");
  CHECK(by_name("NVIDIA", "Quadro RTX 4000") == "Turing SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce RTX 2080 Ti") == "Turing SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce GTX 1660 SUPER") == "Turing SM");
  CHECK(by_name("NVIDIA", "Tesla V100-SXM2-16GB") == "Volta SM");
  CHECK(by_name("NVIDIA", "NVIDIA TITAN V") == "Volta SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 1080 Ti") == "Pascal SM");
  CHECK(by_name("NVIDIA", "NVIDIA TITAN X (Pascal)") == "Pascal SM");
  CHECK(by_name("NVIDIA", "Quadro P6000") == "Pascal SM");
  CHECK(by_name("NVIDIA", "GeForce GTX TITAN X") == "Maxwell SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 980 Ti") == "Maxwell SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 750 Ti") == "Maxwell SM");
  CHECK(by_name("NVIDIA", "GeForce GTX TITAN") == "Kepler SM");
  CHECK(by_name("NVIDIA", "Tesla K80") == "Kepler SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 680") == "Kepler SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 580") == "Fermi SM");
  CHECK(by_name("NVIDIA", "NVIDIA Graphics Device") == "unknown");
  CHECK(by_name("NVIDIA", "NVIDIA GB10") == "Blackwell SM");
  CHECK(by_name("NVIDIA", "Quadro GV100") == "Volta SM");
  CHECK(by_name("NVIDIA", "NVIDIA Jetson AGX Xavier") == "Volta SM");
  CHECK(by_name("NVIDIA", "GeForce GTX 480") == "Fermi SM");
  CHECK(by_name("NVIDIA", "Tesla C2075") == "Fermi SM");
}

TEST_CASE("NVIDIA by the chip's name or number, as NVK and nouveau say it") {
  CHECK(by_name("NVIDIA", "NVK AD102") == "Ada SM");
  CHECK(by_name("NVIDIA", "NV192") == "Ada SM");
  CHECK(by_name("NVIDIA", "NVK GA102") == "Ampere SM");
  CHECK(by_name("NVIDIA", "NV172") == "Ampere SM");
  CHECK(by_name("NVIDIA", "NVIDIA GeForce MX450 (NVK TU117)") == "Turing SM");
  CHECK(by_name("NVIDIA", "NV162") == "Turing SM");
  CHECK(by_name("NVIDIA", "NVK GV100") == "Volta SM");
  CHECK(by_name("NVIDIA", "NV140") == "Volta SM");
  CHECK(by_name("NVIDIA", "NVK GP104") == "Pascal SM");
  CHECK(by_name("NVIDIA", "NV13B") == "Pascal SM");
  CHECK(by_name("NVIDIA", "NVK GM204") == "Maxwell SM");
  CHECK(by_name("NVIDIA", "NV117") == "Maxwell SM");
  CHECK(by_name("NVIDIA", "NVK GK110") == "Kepler SM");
  CHECK(by_name("NVIDIA", "NVF0") == "Kepler SM");
  CHECK(by_name("NVIDIA", "NV108") == "Kepler SM");
  CHECK(by_name("NVIDIA", "NVC0") == "Fermi SM");
  CHECK(by_name("NVIDIA", "NV50") == "unknown");
}

TEST_CASE("AMD by gfx id") {
  CHECK(by_capability("AMD", "gfx600") == "GCN1 CU");
  CHECK(by_capability("AMD", "gfx701") == "GCN2 CU");
  CHECK(by_capability("AMD", "gfx802") == "GCN3 CU");
  CHECK(by_capability("AMD", "gfx906") == "GCN5 CU");
  CHECK(by_capability("AMD", "gfx90c") == "GCN5 CU");
  CHECK(by_capability("AMD", "gfx908") == "CDNA1 CU");
  CHECK(by_capability("AMD", "gfx90a:sramecc+:xnack-") == "CDNA2 CU");
  CHECK(by_capability("AMD", "gfx942") == "CDNA3 CU");
  CHECK(by_capability("AMD", "gfx950") == "CDNA4 CU");
  CHECK(by_capability("AMD", "gfx1010") == "RDNA1 WGP");
  CHECK(by_capability("AMD", "gfx1030") == "RDNA2 WGP");
  CHECK(by_capability("AMD", "gfx1100") == "RDNA3 WGP");
  CHECK(by_capability("AMD", "gfx1151") == "RDNA3.5 WGP");
  CHECK(by_capability("AMD", "gfx1201") == "RDNA4 WGP");
  CHECK(by_capability("AMD", "gfx9999") == "unknown");
  CHECK(by_capability("AMD", "gfx810") == "GCN3 CU");
}

TEST_CASE("gfx803 is two generations: the name decides, else nothing") {
  CHECK(recognised(device("AMD", "Radeon RX 580 Series", "gfx803")) == "GCN4 CU");
  CHECK(recognised(device("AMD", "Radeon R9 Fury X", "gfx803")) == "GCN3 CU");
  CHECK(recognised(device("AMD", "gfx803", "gfx803")) == "GCN3 or GCN4 CU");
}

TEST_CASE("AMD by name") {
  CHECK(by_name("AMD", "AMD Radeon RX 9070 XT (RADV GFX1201)") == "RDNA4 WGP");
  CHECK(by_name("AMD", "Radeon 8060S Graphics (RADV GFX1151)") == "RDNA3.5 WGP");
  CHECK(by_name("AMD", "AMD Radeon RX 7900 XTX") == "RDNA3 WGP");
  CHECK(by_name("AMD", "AMD Radeon 780M Graphics (RADV GFX1103_R1)") == "RDNA3 WGP");
  CHECK(by_name("AMD", "AMD Radeon RX 6900 XT (RADV NAVI21)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon RX 6800 XT") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Custom GPU 0405 (RADV VANGOGH)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon RX 5700 XT") == "RDNA1 WGP");
  CHECK(by_name("AMD", "AMD Radeon RX 5700 XT (radeonsi, navi10, LLVM 15.0.7, DRM 3.49, 6.1.0)") == "RDNA1 WGP");
  CHECK(by_name("AMD", "AMD Instinct MI300X") == "CDNA3 CU");
  CHECK(by_name("AMD", "AMD Instinct MI250X (RADV MI200)") == "CDNA2 CU");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV RENOIR)") == "GCN5 CU");
  CHECK(by_name("AMD", "AMD Radeon VII (RADV VEGA20)") == "GCN5 CU");
  CHECK(by_name("AMD", "Radeon RX Vega 64") == "GCN5 CU");
  CHECK(by_name("AMD", "AMD Radeon RX 580 Series (RADV POLARIS10)") == "GCN4 CU");
  CHECK(by_name("AMD", "AMD Radeon R9 Fury Series (RADV FIJI)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon R9 390 Series (RADV HAWAII)") == "GCN2 CU");
  CHECK(by_name("AMD", "AMD Radeon HD 7900 Series (RADV TAHITI)") == "GCN1 CU");
  CHECK(by_name("AMD", "AMD Radeon HD 6970 (cayman)") == "TeraScale CU");
  CHECK(by_name("AMD", "AMD Radeon Graphics") == "unknown");
  CHECK(by_name("AMD", "AMD Radeon RX 9070") == "RDNA4 WGP");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV GFX1200)") == "RDNA4 WGP");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV GFX1150)") == "RDNA3.5 WGP");
  CHECK(by_name("AMD", "AMD Radeon 890M Graphics") == "RDNA3.5 WGP");
  CHECK(by_name("AMD", "Radeon 8060S Graphics") == "RDNA3.5 WGP");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV GFX1036)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon PRO W6800 (RADV NAVI21)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV REMBRANDT)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV RAPHAEL_MENDOCINO)") == "RDNA2 WGP");
  CHECK(by_name("AMD", "AMD Radeon Pro W5700 (RADV NAVI10)") == "RDNA1 WGP");
  CHECK(by_name("AMD", "AMD Radeon Pro 5600M") == "RDNA1 WGP");
  CHECK(by_name("AMD", "AMD Radeon Pro V520") == "RDNA1 WGP");
  CHECK(by_name("AMD", "AMD Unknown (RADV GFX940)") == "CDNA3 CU");
  CHECK(by_name("AMD", "AMD Instinct MI210") == "CDNA2 CU");
  CHECK(by_name("AMD", "AMD Unknown (RADV MI200)") == "CDNA2 CU");
  CHECK(by_name("AMD", "AMD Unknown (RADV ALDEBARAN)") == "CDNA2 CU");
  CHECK(by_name("AMD", "AMD Instinct MI100") == "CDNA1 CU");
  CHECK(by_name("AMD", "AMD Unknown (RADV ARCTURUS)") == "CDNA1 CU");
  CHECK(by_name("AMD", "AMD Radeon Pro WX 7100 (RADV POLARIS10)") == "GCN4 CU");
  CHECK(by_name("AMD", "AMD Radeon Graphics (RADV VEGAM)") == "GCN4 CU");
  CHECK(by_name("AMD", "AMD Radeon RX Vega M GH Graphics (RADV VEGAM)") == "GCN4 CU");
  CHECK(by_name("AMD", "Radeon RX Vega M GL Graphics") == "GCN4 CU");
  CHECK(by_name("AMD", "AMD Radeon RX 480") == "GCN4 CU");
  CHECK(by_name("AMD", "Radeon Instinct MI6") == "GCN4 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV TONGA)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV ICELAND)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV CARRIZO)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV FIJI)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV STONEY)") == "GCN3 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV BONAIRE)") == "GCN2 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV KAVERI)") == "GCN2 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV KABINI)") == "GCN2 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV HAWAII)") == "GCN2 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV PITCAIRN)") == "GCN1 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV VERDE)") == "GCN1 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV OLAND)") == "GCN1 CU");
  CHECK(by_name("AMD", "AMD Radeon (RADV HAINAN)") == "GCN1 CU");
  CHECK(by_name("AMD", "Radeon R9 290X") == "GCN2 CU");
}

TEST_CASE("Intel by IP version") {
  CHECK(by_capability("Intel", "8.0.0") == "Gen8 subslice");
  CHECK(by_capability("Intel", "9.4.0") == "Gen9 subslice");
  CHECK(by_capability("Intel", "11.0.0") == "Gen11 subslice");
  CHECK(by_capability("Intel", "12.1.0") == "Xe-LP dual subslice");
  CHECK(by_capability("Intel", "12.10.0") == "Xe-LP dual subslice");
  CHECK(by_capability("Intel", "12.55.8") == "Xe-HPG Xe-core");
  CHECK(by_capability("Intel", "12.60.7") == "Xe-HPC Xe-core");
  CHECK(by_capability("Intel", "12.71.4") == "Xe-LPG Xe-core");
  CHECK(by_capability("Intel", "20.1.4") == "Xe2 Xe-core");
  CHECK(by_capability("Intel", "30.0.4") == "Xe3 Xe-core");
  CHECK(by_capability("Intel", "12.50.4") == "unknown");
}

TEST_CASE("Intel by name") {
  CHECK(by_name("Intel", "Intel(R) Arc(TM) B580 Graphics") == "Xe2 Xe-core");
  CHECK(by_name("Intel", "Intel(R) Arc(TM) Pro B50 Graphics") == "Xe2 Xe-core");
  CHECK(by_name("Intel", "Intel(R) HD Graphics 5500 (BDW GT2)") == "Gen8 subslice");
  CHECK(by_name("Intel", "Intel(R) HD Graphics 5500") == "Gen8 subslice");
  CHECK(by_name("Intel", "Intel(R) HD Graphics 530 (SKL GT2)") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) HD Graphics 530") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) UHD Graphics 600 (GLK 2)") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) UHD Graphics 630") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) Iris(R) Plus Graphics 655") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) Iris(R) Pro Graphics 580") == "Gen9 subslice");
  CHECK(by_name("Intel", "Intel(R) Iris(R) Plus Graphics") == "Gen11 subslice");
  CHECK(by_name("Intel", "Intel(R) Iris(R) Plus Graphics (ICL GT2)") == "Gen11 subslice");
  CHECK(by_name("Intel", "Intel(R) UHD Graphics 770 (ADL-S GT1)") == "Xe-LP dual subslice");
  CHECK(by_name("Intel", "Intel(R) Xe Graphics (TGL GT2)") == "Xe-LP dual subslice");
  CHECK(by_name("Intel", "Intel(R) Iris(R) Xe Graphics") == "Xe-LP dual subslice");
  CHECK(by_name("Intel", "Intel(R) Arc(TM) A770 Graphics") == "Xe-HPG Xe-core");
  CHECK(by_name("Intel", "Intel(R) Arc(tm) A380 Graphics (DG2)") == "Xe-HPG Xe-core");
  CHECK(by_name("Intel", "Intel(R) Data Center GPU Flex 170") == "Xe-HPG Xe-core");
  CHECK(by_name("Intel", "Intel(R) Data Center GPU Max 1550") == "Xe-HPC Xe-core");
  CHECK(by_name("Intel", "Intel(R) Graphics (BMG G21)") == "Xe2 Xe-core");
  CHECK(by_name("Intel", "Intel(R) Graphics (MTL)") == "Xe-LPG Xe-core");
  CHECK(by_name("Intel", "Intel(R) Graphics") == "unknown");
  CHECK(by_name("Intel", "Intel(R) Arc(TM) Graphics 140V") == "Xe2 Xe-core");
}

TEST_CASE("names are searched for the device's own vendor only") {
  CHECK(by_name("Imagination", "A100") == "unknown");
  CHECK(by_name("Imagination", "NVIDIA H200") == "unknown");
}

TEST_CASE("a CPU's architecture is CPU, with any name") {
  DeviceInfo info = device("AMD", "pthread-skylake-avx512-AMD EPYC");
  info.type = DeviceType::cpu;
  CHECK(recognise(info) == Architecture{.vendor = "AMD", .name = "CPU", .unit_name = "core"});
}

TEST_CASE("a capability from one device of a card goes before another's name") {
  const Card card{.identity = "", .devices = {device("NVIDIA", "NVIDIA GeForce GTX 750"), device("NVIDIA", "?", "3.0")}};
  CHECK(recognise(card)->name == "Kepler");
  const Card named{.identity = "", .devices = {device("NVIDIA", "?"), device("NVIDIA", "NVIDIA H200")}};
  CHECK(recognise(named)->name == "Hopper");
  CHECK_FALSE(recognise(Card{.identity = "", .devices = {device("NVIDIA", "?")}}));
}

TEST_CASE("a unit is a unit where the architecture is unknown") {
  CHECK(unit_name(std::nullopt) == "unit");
  CHECK(unit_name(recognise(device("NVIDIA", "NVIDIA H200"))) == "SM");
}

TEST_CASE("a count of CUs becomes one of WGPs") {
  const UnitCount rusticl = counted(80, Api::opencl, "rusticl", "AMD Radeon RX 6900 XT (radeonsi, navi21)");
  CHECK(rusticl.count == Sourced<std::uint32_t>{40, Provenance::reported});
  CHECK_WORDS("architecture.units-of-wgps", rusticl.note);
  const UnitCount odd = counted(81, Api::opencl, "rusticl", "AMD Radeon RX 6900 XT (radeonsi, navi21)");
  CHECK_FALSE(odd.count);
  CHECK_WORDS("architecture.odd-unit-count", odd.note);
}

TEST_CASE("a count that may not be of units says so") {
  const UnitCount rocm = counted(40, Api::opencl, "AMD Accelerated Parallel Processing", "AMD Radeon RX 6900 XT");
  CHECK(rocm.count == Sourced<std::uint32_t>{40, Provenance::reported});
  CHECK_WORDS("architecture.wgp-mode-unset", rocm.note);
  CHECK_WORDS("architecture.unknown", counted(7, Api::vulkan, "?", "AMD Radeon Graphics").note);
  DeviceInfo cpu = device("AMD", "llvmpipe");
  cpu.type = DeviceType::cpu;
  CHECK_FALSE(unit_count(cpu, recognise(cpu)).count);
  CHECK(unit_count(cpu, recognise(cpu)).note == "");
  cpu.units = Sourced<std::uint32_t>{2, Provenance::reported};
  CHECK_WORDS("architecture.hardware-threads", unit_count(cpu, recognise(cpu)).note);
}

TEST_CASE("a count of units is left alone") {
  CHECK(counted(40, Api::vulkan, "radv", "AMD Radeon RX 6900 XT (RADV NAVI21)").count->value == 40);
  CHECK(counted(40, Api::vulkan, "radv", "AMD Radeon RX 6900 XT (RADV NAVI21)").note == "");
  CHECK(counted(36, Api::opencl, "rusticl", "AMD Radeon RX 580 Series (radeonsi, polaris10)").count->value == 36);
}

TEST_CASE("the embedded rules are sound, and every source is cited") {
  const ArchitectureRules rules = parse_architecture_rules(catalogue_text("architectures.toml"), "architectures.toml");
  CHECK(rules.recognition.size() > 50);
  CHECK(rules.counts.size() == 2);
}

TEST_CASE("rules that are not sound are refused by name") {
  constexpr const char* kSources = "[sources]\nguide = \"Guide\"\n";
  const auto with = [&](const char* rest) { return refusal(std::string(kSources) + rest); };
  CHECK(refusal("[sources]\nguide = \n").starts_with("rules.toml:2: "));
  CHECK_WORDS("rules.sources-table", refusal(""));
  CHECK_WORDS("rules.source-text", refusal("[sources]\nguide = 1\n"));
  CHECK_WORDS("rules.source-uncited", with(""));
  CHECK_WORDS("rules.unknown-key", with("[extra]\n"));
  CHECK_WORDS("rules.architecture-list", with("[architecture]\n"));
  CHECK_WORDS("rules.unknown-architecture-key", with("[[architecture]]\nname = 'A'\nvendor = 'V'\nunit = 'U'\nlanes = 4\n"));
  CHECK_WORDS("rules.no-name", with("[[architecture]]\nvendor = 'V'\nunit = 'U'\n"));
  const auto rule = [&](const char* text) {
    return with(
        (std::string("[[architecture]]\nname = 'A'\nvendor = 'V'\nunit = 'U'\nrecognise = [{ ") + text + " }]\n").c_str());
  };
  CHECK(rule("name = 'x', source = 'guide'") == "");
  CHECK_WORDS("rules.empty-source", rule("name = 'x'"));
  CHECK_WORDS("rules.unknown-source", rule("name = 'x', source = 'book'"));
  CHECK_WORDS("rules.unknown-rule-key", rule("name = 'x', source = 'guide', page = 3"));
  CHECK_WORDS("rules.no-expression", rule("name = '(', source = 'guide'"));
  CHECK_WORDS("rules.needs-one-kind", rule("source = 'guide'"));
  CHECK_WORDS("rules.two-kinds", rule("name = 'x', capability = 'y', source = 'guide'"));
  const auto count = [&](const char* text) {
    return with((std::string("[[count]]\nvendor = 'V'\narchitecture = 'A'\ncounts = 'CU'\nsource = 'guide'\n") + text).c_str());
  };
  CHECK(count("api = 'vulkan'\nper_unit = 2\n") == "");
  CHECK_WORDS("rules.count-api", count("api = 'metal'\nper_unit = 2\n"));
  CHECK_WORDS("rules.count-per-unit", count("api = 'vulkan'\nper_unit = 0\n"));
  CHECK_WORDS("rules.count-unknown-key", count("api = 'vulkan'\nper_unit = 2\nplatforms = 'x'\n"));
}

}  // namespace percycle::architecture_test

#include "limits/cache_catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "check_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "limits/architecture_rules.hpp"
#include "limits/catalogue_text.hpp"

namespace percycle::cache_catalogue_test {
namespace {

constexpr const char* kOne = R"([sources]
paper = "A paper, table 1"

[[cache]]
architectures = ["Hopper"]
name = "L1"
paths = ["global"]
sizes = ["16K", "48K"]
source = "paper"
quoted = "16 or 48"
)";

/// The error for a caches.toml in which the first `from` is replaced by `to`.
std::string refusal(const std::string& from, const std::string& to) {
  std::string text = kOne;
  text.replace(text.find(from), from.size(), to);
  try {
    parse_cache_rules(text, "c.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

/// "L1 16K 48K; L2 4M / 64": each fact with its sizes and its line.
std::string summary(std::string_view architecture, std::string_view device) {
  std::string text;
  for (const CacheFact& fact : cache_facts(architecture, device)) {
    text += (text.empty() ? "" : "; ") + fact.name;
    for (const std::uint64_t size : fact.sizes) text += " " + format_bytes(size);
    if (fact.line) text += " / " + std::to_string(*fact.line);
  }
  return text;
}

}  // namespace

TEST_CASE("caches.toml: every fact is of architectures that devices are recognised as, and of paths that are measured") {
  const ArchitectureRules known = parse_architecture_rules(catalogue_text("architectures.toml"), "architectures.toml");
  std::set<std::string> architectures;
  for (const RecognitionRule& rule : known.recognition) architectures.insert(rule.architecture.name);
  const std::set<std::string> paths = {"global", "texture", "constant", "scalar", "local"};

  const auto rules = parse_cache_rules(catalogue_text("caches.toml"), "caches.toml");
  CHECK(rules.size() == 72);
  for (const CacheRule& rule : rules) {
    CAPTURE(rule.fact.name);
    for (const auto& name : rule.architectures) CHECK_MESSAGE(architectures.contains(name), name);
    for (const auto& path : rule.fact.paths) CHECK_MESSAGE(paths.contains(path), path);
  }
}

TEST_CASE("cache facts: a device's own figures go before its architecture's") {
  const std::string splits_of_256 = "L1 28 KiB 60 KiB 92 KiB 124 KiB 156 KiB 192 KiB 224 KiB 240 KiB 248 KiB 256 KiB";
  const std::string splits_of_128 = "L1 28 KiB 64 KiB 96 KiB 112 KiB 120 KiB 128 KiB";
  CHECK(summary("Hopper", "NVIDIA H200") == splits_of_256 + "; L2 60 MiB; local memory 228 KiB; constant cache 8 KiB");
  for (const char* h100 : {"NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3"})
    CHECK(summary("Hopper", h100) == splits_of_256 + "; L2 50 MiB; local memory 228 KiB; constant cache 8 KiB");
  CHECK(summary("Hopper", "NVIDIA H100 NVL") == splits_of_256 + "; local memory 228 KiB; constant cache 8 KiB");
  for (const char* b200 : {"NVIDIA B200", "NVIDIA GB200"})
    CHECK(summary("Blackwell", b200) == splits_of_256 + "; L2 126 MiB; local memory 100 KiB 228 KiB; constant cache 8 KiB");
  CHECK(summary("Blackwell", "NVIDIA GeForce RTX 5090") ==
        splits_of_128 + "; local memory 100 KiB 228 KiB; constant cache 8 KiB");
  CHECK(summary("Ada", "NVIDIA GeForce RTX 4090") == splits_of_128 + "; local memory 100 KiB; constant cache 8 KiB");
  CHECK(summary("Ada", "NVIDIA L40") == splits_of_128 + "; L2 96 MiB; local memory 100 KiB; constant cache 8 KiB");
  CHECK(summary("Ampere", "NVIDIA RTX A6000") ==
        splits_of_128 + "; L2 6 MiB; local memory 100 KiB 164 KiB; constant cache 8 KiB");
  CHECK(summary("Ampere", "NVIDIA A100-SXM4-40GB") ==
        "L1 28 KiB 60 KiB 92 KiB 128 KiB 160 KiB 176 KiB 184 KiB 192 KiB; L2 40 MiB; local memory 100 KiB 164 KiB; constant "
        "cache 8 KiB");
  CHECK(summary("Turing", "Tesla T4") ==
        "L1 32 KiB 64 KiB / 32; L2 4 MiB / 64; L1.5 constant 46 KiB / 256; local memory 32 KiB 64 KiB");
  CHECK(summary("Turing", "NVIDIA GeForce RTX 2080") == "L1 32 KiB 64 KiB / 32; local memory 32 KiB 64 KiB");
  CHECK(summary("Kepler", "Tesla K80") ==
        "L1 constant 2 KiB / 64; L1.5 constant 32 KiB / 256; L1 16 KiB 32 KiB 48 KiB; texture cache 12 KiB; L2 1.5 MiB / 32; "
        "local memory 48 KiB 112 KiB");
  CHECK(summary("GCN3 or GCN4", "gfx803") == "L1 16 KiB / 64; scalar cache 16 KiB / 64; local memory 64 KiB");
  CHECK(summary("GCN2", "AMD Radeon R9 390") == "L1 16 KiB / 64");
  CHECK(summary("RDNA3", "AMD Radeon RX 7900 XTX") ==
        "L0 32 KiB; scalar cache 16 KiB; L1 256 KiB; L2 2 MiB 4 MiB 6 MiB; Infinity Cache 32 MiB 48 MiB 56 MiB 64 MiB 80 MiB 96 "
        "MiB; local memory 128 KiB");
  CHECK(summary("RDNA4", "AMD Radeon RX 9070 XT") ==
        "L0 32 KiB; scalar cache 16 KiB; L2 4 MiB 6 MiB 8 MiB; Infinity Cache 32 MiB 48 MiB 64 MiB; local memory 128 KiB");
  CHECK(summary("CDNA1", "AMD Instinct MI100") == "local memory 64 KiB; L1 16 KiB; scalar cache 16 KiB; L2 8 MiB");
  CHECK(summary("CDNA3", "AMD Instinct MI300X") ==
        "local memory 64 KiB; L1 32 KiB; scalar cache 16 KiB; L2 4 MiB; Infinity Cache 256 MiB");
  CHECK(summary("CDNA4", "AMD Instinct MI350X") ==
        "local memory 160 KiB; L1 32 KiB; scalar cache 16 KiB; L2 4 MiB; Infinity Cache 256 MiB");
  CHECK(summary("Gen11", "Intel(R) Iris(R) Plus Graphics") == "L3 2.25 MiB 3 MiB");
  CHECK(summary("Xe-LP", "Intel(R) Xe Graphics (TGL GT2)") == "L3 1.88 MiB 3.75 MiB");
  CHECK(summary("Xe-LP", "Intel(R) Xe Graphics (RPL-P)").empty());
  for (const char* dg1 : {"Intel(R) Iris(R) Xe MAX Graphics", "Intel(R) Graphics (DG1)"})
    CHECK(summary("Xe-LP", dg1) == "L3 16 MiB");
  CHECK(summary("Xe-HPG", "Intel(R) Arc(tm) A770 Graphics (DG2)") == "local memory 128 KiB");
  CHECK(summary("Xe-HPC", "Intel(R) Data Center GPU Max 1100") == "local memory 128 KiB");
  CHECK(summary("CPU", "AMD EPYC") == "");
  CHECK(summary("", "Simulated Tesla T4") == "");
}

TEST_CASE("cache facts: each has the text of its source") {
  const auto facts = cache_facts("Hopper", "NVIDIA H200");
  REQUIRE(facts.size() == 4);
  CHECK(facts[0].source ==
        "NVIDIA, CUDA Programming Guide, section 5.1.3, table 32 (Shared Memory Capacity per Compute Capability)");
  CHECK(facts[0].quoted == "9.0 | 256 | 0, 8, 16, 32, 64, 100, 132, 164, 196, 228");
}

TEST_CASE("a caches.toml is read strictly: each refusal names the line") {
  CHECK(refusal("\"paper\"", "\"paper\"") == "accepted");
  CHECK_WORDS("cache-catalogue.empty-quote", refusal("quoted = \"16 or 48\"\n", ""));
  CHECK_WORDS("cache-catalogue.empty-source", refusal("source = \"paper\"\n", ""));
  CHECK_WORDS("cache-catalogue.unknown-source", refusal("\"paper\"", "\"rumour\""));
  CHECK_WORDS("cache-catalogue.unknown-cache-key", refusal("quoted", "ways = 4\nquoted"));
  CHECK_WORDS("cache-catalogue.line-range", refusal("quoted", "line = 0\nquoted"));
  CHECK_WORDS("cache-catalogue.unknown-up-to", refusal("quoted", "up_to = true\nquoted"));
  CHECK_WORDS("cache-catalogue.no-expression", refusal("quoted", "device = '('\nquoted"));
  CHECK_WORDS("cache-catalogue.sizes-list", refusal("[\"16K\", \"48K\"]", "\"16K\""));
  CHECK_WORDS("cache-catalogue.sizes-order", refusal("\"48K\"", "\"16K\""));
  CHECK_WORDS("cache-catalogue.no-size", refusal("\"48K\"", "\"many\""));
  CHECK_WORDS("cache-catalogue.source-uncited", refusal("[[cache]]", "other = \"Another paper\"\n\n[[cache]]"));
  CHECK_WORDS("cache-catalogue.unknown-key", refusal("[[cache]]", "[[caches]]"));
  CHECK(refusal("[sources]", "[sources") != "accepted");
}

}  // namespace percycle::cache_catalogue_test

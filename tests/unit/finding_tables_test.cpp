#include "report/finding_tables.hpp"

#include <doctest/doctest.h>

#include "report/finding_changes.hpp"

namespace percycle::finding_tables_test {
namespace {

Hierarchy with_tlb(std::uint64_t reach, double confidence) {
  Hierarchy hierarchy;
  hierarchy.tlbs.push_back({"global", reach, 2 << 20, std::nullopt, 5.25, confidence, {"a walk", "a count"}});
  return hierarchy;
}

TEST_CASE("findings: a kind is a table with a title, an unknown value is a dash, evidence follows its subject") {
  const Findings found = findings_of(with_tlb(32 << 20, 0.9));
  CHECK(to_text(found.tables) == R"(
Translation
  TLB   reach   page  ways  penalty cycles  penalty ns  confidence  in penalty
  1    32 MiB  2 MiB     -               -         5.2        0.90        0.00
)");
  CHECK(found.evidence == "  TLB of 32 MiB: a walk\n  TLB of 32 MiB: a count\n");
  CHECK(findings_of(Hierarchy()).tables.empty());
}

TEST_CASE("findings: equal notes of a table have one number") {
  DeviceAnalysis analysis;
  for (const char* note : {"", "far", "far", "near"}) {
    analysis.comparison.emplace_back().subject = "L1";
    analysis.comparison.back().note = note;
  }
  const Findings found = findings_of(analysis);
  REQUIRE(found.tables.size() == 1);
  CHECK(found.tables[0].notes == std::vector<std::string>{"far", "near"});
  CHECK(found.tables[0].table.rows[0].cells.back().empty());
  CHECK(found.tables[0].table.rows[2].cells.back() == "[1]");
  CHECK(found.tables[0].table.rows[3].cells.back() == "[2]");
}

TEST_CASE("findings: a compared value is better or worse if it differs clearly and both are certain") {
  const auto changes = finding_changes(with_tlb(32 << 20, 0.9), with_tlb(16 << 20, 0.9));
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].kind == "Translation");
  CHECK(changes[0].row == std::vector<std::string>{"1"});
  CHECK(changes[0].column == "reach");
  CHECK(changes[0].is_bytes);
  CHECK(changes[0].percent() == -50);
  CHECK(changes[0].verdict == ChangeVerdict::worse);
  CHECK(finding_changes(with_tlb(32 << 20, 0.9), with_tlb(64 << 20, 0.9))[0].verdict == ChangeVerdict::better);
  CHECK(finding_changes(with_tlb(32 << 20, 0.9), with_tlb(16 << 20, 0.6))[0].is_doubtful);
  CHECK(finding_changes(with_tlb(100 << 20, 1), with_tlb(110 << 20, 1))[0].verdict == ChangeVerdict::noise);
  CHECK(finding_changes(with_tlb(32 << 20, 1), Hierarchy()).empty());
}

}  // namespace
}  // namespace percycle::finding_tables_test

#include "report/code_note.hpp"

#include <algorithm>
#include <cstdint>

namespace percycle {
namespace {

constexpr std::uint64_t kManyOperations = 32;

/// The note, unless an old version took a long loop's jump back, perhaps a call, for a function.
std::string right_note(const Codegen& codegen) {
  const bool is_jump = codegen.counts && codegen.counts->calls == 1 && codegen.counts->alu >= kManyOperations;
  return is_jump && codegen.note.ends_with(" calls a function here") ? std::string() : codegen.note;
}

}  // namespace

std::vector<std::string> code_notes(const Measurement& measurement) {
  std::vector<std::string> notes;
  if (!measurement.codegen) return notes;
  const std::string note = right_note(*measurement.codegen);
  // A warning says the same and names the form of the code.
  const auto has_note = [&](const std::string& warning) { return warning.ends_with(note); };
  if (!note.empty() && std::ranges::none_of(measurement.warnings, has_note)) notes.push_back(note);
  if (measurement.codegen->same_as_optimized == true)
    notes.emplace_back("the driver made the same machine code as with optimisation");
  return notes;
}

}  // namespace percycle

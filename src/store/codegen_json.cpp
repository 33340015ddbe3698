#include "store/codegen_json.hpp"

#include <nlohmann/json.hpp>

#include "device/json_fields.hpp"

namespace percycle {
namespace {

using nlohmann::json;

json access_to_json(const CodeAccess& access) {
  json object{{"kind", access.kind}, {"space", access.space}, {"bytes", access.bytes}, {"count", access.count}};
  if (access.kind == "atomic") object["returns"] = access.returns;
  return object;
}

CodeAccess access_from_json(JsonValue value) {
  JsonFields fields(value, "access");
  CodeAccess access;
  access.kind = fields.text("kind");
  access.space = fields.text("space");
  access.bytes = fields.unsigned_integer<std::uint32_t>("bytes");
  access.count = fields.unsigned_integer<std::uint64_t>("count");
  if (access.kind == "atomic") access.returns = fields.boolean("returns");
  fields.finish();
  return access;
}

json counts_to_json(const CodeCounts& counts) {
  json object{{"accesses", json::array()}, {"alu", counts.alu}, {"scalar_alu", counts.scalar_alu}, {"branches", counts.branches}};
  for (const CodeAccess& each : counts.accesses) object["accesses"].push_back(access_to_json(each));
  if (counts.calls > 0) object["calls"] = counts.calls;
  if (counts.alu_per_access) object["alu_per_access"] = finite(*counts.alu_per_access, "alu_per_access");
  return object;
}

CodeCounts counts_from_json(JsonValue value) {
  JsonFields fields(value, "counts");
  CodeCounts counts;
  const auto accesses = fields.required("accesses");
  if (!accesses.is_list()) fields.fail("accesses", "is not a list");
  for (const JsonValue each : accesses) counts.accesses.push_back(access_from_json(each));
  counts.alu = fields.unsigned_integer<std::uint64_t>("alu");
  counts.scalar_alu = fields.unsigned_integer<std::uint64_t>("scalar_alu");
  counts.branches = fields.unsigned_integer<std::uint64_t>("branches");
  counts.calls = fields.optional_unsigned<std::uint64_t>("calls").value_or(0);
  counts.alu_per_access = fields.optional_number("alu_per_access");
  fields.finish();
  return counts;
}

}  // namespace

json to_json(const Codegen& codegen) {
  json object = json::object();
  if (!codegen.form.empty()) object["form"] = codegen.form;
  if (!codegen.missing.empty()) object["missing"] = codegen.missing;
  if (codegen.registers) object["registers"] = *codegen.registers;
  if (codegen.spills) object["spills"] = *codegen.spills;
  if (codegen.scratch_bytes) object["scratch_bytes"] = *codegen.scratch_bytes;
  if (codegen.counts) object[codegen.whole ? "all" : "loop"] = counts_to_json(*codegen.counts);
  return object;
}

Codegen codegen_from_json(JsonValue value) {
  JsonFields fields(value, "codegen");
  Codegen codegen;
  codegen.form = fields.optional_text("form").value_or("");
  codegen.missing = fields.optional_text("missing").value_or("");
  codegen.registers = fields.optional_unsigned<std::uint64_t>("registers");
  codegen.spills = fields.optional_unsigned<std::uint64_t>("spills");
  codegen.scratch_bytes = fields.optional_unsigned<std::uint64_t>("scratch_bytes");
  const auto loop = fields.optional("loop");
  const auto all = fields.optional("all");
  if (loop && all) fields.fail("loop", "stands beside 'all'");
  codegen.whole = all.has_value();
  if (const auto counts = loop ? loop : all) codegen.counts = counts_from_json(*counts);
  fields.finish();
  return codegen;
}

}  // namespace percycle

#pragma once

#include <string>

#include "json/fields.hpp"
#include "limits/architecture.hpp"
#include "limits/limits.hpp"

// The members of limits as `percycle limits --json` prints them. See json/fields.hpp.

namespace percycle {

void fields(auto& v, Like<Limit> auto& limit) {
  v.called("limit");
  v.required("figure", name_of(limit.quantity).key);
  v.required("value", limit.value, kComputed);
  v.required("unit", name_of(limit.quantity).meaning);
  v.optional("texel_bytes", limit.texel_bytes, {.about = "sizes of a texel that it holds for; absent: all"});
  v.required("of", limit.entry, {.about = "the device or the architectures"});
  v.required("provenance", limit.provenance);
  v.required("source", limit.source, {.about = "document, section or page"});
  v.required("quoted", limit.quoted);
  v.optional("note", limit.note);
}

void fields(auto& v, Like<LimitEntry> auto& entry) {
  v.required("name", entry.name);
  v.required("kind", std::string(entry.device ? "device" : "architecture"));
  v.required("architectures", entry.architectures);
  v.required("limits", entry.limits);
  v.optional("note", entry.note);
}

/// The catalogue as one object.
struct ListedLimits {
  LimitsCatalogue entries;
};

void fields(auto& v, Like<ListedLimits> auto& listed) { v.required("entries", listed.entries); }

void fields(auto& v, Like<DeviceLimits> auto& limits) {
  const auto architecture = architecture_named(limits.architecture);
  const Architecture known = architecture.value_or(Architecture());
  v.required("match", limits.match);
  v.optional("device", limits.device);
  v.where(architecture.has_value(), "architecture", known.name);
  v.where(architecture.has_value(), "unit_name", known.unit_name);
  v.required("limits", limits.limits);
  v.optional("notes", limits.notes);
}

}  // namespace percycle

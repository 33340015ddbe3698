#include "html/packed_rows.hpp"

#include <algorithm>
#include <utility>

namespace percycle {
namespace {

using nlohmann::json;

bool same_keys(const json& a, const json& b) {
  return a.is_object() && b.is_object() &&
         std::equal(a.get_ref<const json::object_t&>().begin(), a.get_ref<const json::object_t&>().end(),
                    b.get_ref<const json::object_t&>().begin(), b.get_ref<const json::object_t&>().end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

}  // namespace

json packed_rows(json list) {
  if (!list.is_array() || list.empty()) return list;
  if (!std::all_of(list.begin(), list.end(), [&](const json& row) { return same_keys(row, list.front()); })) return list;
  json packed = {{"keys", json::array()}, {"rows", json::array()}};
  for (const auto& member : list.front().items()) packed["keys"].push_back(member.key());
  const json* before = nullptr;
  for (json& row : list) {
    json values = json::array();
    for (const auto& [key, value] : row.get_ref<const json::object_t&>()) {
      if (values.empty() && before != nullptr && before->at(key) == value) continue;
      values.push_back(value);
    }
    packed["rows"].push_back(std::move(values));
    before = &row;
  }
  return packed;
}

void pack_data(json& spec) {
  const auto pack = [](json& part) {
    const auto data = part.find("data");
    if (data == part.end() || !data->contains("values")) return;
    json packed = packed_rows(std::move((*data)["values"]));
    data->erase("values");
    const char* key = packed.is_object() ? "packed" : "values";
    (*data)[key] = std::move(packed);
  };
  pack(spec);
  if (const auto layers = spec.find("layer"); layers != spec.end()) std::for_each(layers->begin(), layers->end(), pack);
}

}  // namespace percycle

#include "limits/architecture_rules.hpp"

#include <fmt/format.h>

#include <utility>

#include "limits/citations.hpp"

namespace percycle {
namespace {

RecognitionRule recognition_rule(const StrictTable& table, const Architecture& architecture) {
  static constexpr std::pair<std::string_view, RecognitionRule::Evidence> kKinds[] = {
      {"capability", RecognitionRule::Evidence::capability},
      {"name", RecognitionRule::Evidence::name},
      {"shared_capability", RecognitionRule::Evidence::shared_capability}};
  std::optional<RecognitionRule> rule;
  for (const auto& [key, kind] : kKinds) {
    if (!table.has(key)) continue;
    if (rule) table.fail("", "a rule has only one of 'capability', 'name' and 'shared_capability'");
    rule = RecognitionRule{.kind = kind, .pattern = table.pattern(key), .architecture = architecture};
  }
  if (!rule) table.fail("", "a rule needs 'capability', 'name' or 'shared_capability'");
  return *rule;
}

CountRule count_rule(const StrictTable& table) {
  const std::optional<Api> api = parse_api(table.text("api"));
  if (!api) table.fail("api", fmt::format("'{}' is not an API", table.text("api")));
  return {.vendor = table.text("vendor"),
          .architecture = table.pattern("architecture"),
          .api = *api,
          .platform = table.has("platform") ? std::optional(table.pattern("platform")) : std::nullopt,
          .counts = table.text("counts"),
          .per_unit = static_cast<std::uint32_t>(table.whole("per_unit", 1, 1024)),
          .unless = table.optional_text("unless")};
}

}  // namespace

ArchitectureRules parse_architecture_rules(std::string_view text, std::string_view file_name) {
  const toml::table root = parse_toml(text, file_name);
  const StrictTable file(root, file_name, "", {"sources", "count", "architecture"});
  Citations sources(file);

  ArchitectureRules rules;
  for (const toml::table* node : file.tables("count")) {
    const StrictTable table(*node, file_name, "count",
                            {"vendor", "architecture", "api", "platform", "counts", "per_unit", "unless", "source"});
    sources.cite(table);
    rules.counts.push_back(count_rule(table));
  }
  for (const toml::table* node : file.tables("architecture")) {
    const std::string title = fmt::format("architecture {}", (*node)["name"].value_or("without a name"));
    const StrictTable table(*node, file_name, title, {"vendor", "name", "unit", "recognise"});
    const Architecture architecture{.vendor = table.text("vendor"), .name = table.text("name"), .unit_name = table.text("unit")};
    for (const toml::table* rule : table.tables("recognise")) {
      const StrictTable checked(*rule, file_name, title, {"capability", "name", "shared_capability", "source"});
      sources.cite(checked);
      rules.recognition.push_back(recognition_rule(checked, architecture));
    }
  }
  sources.check_all_cited();
  return rules;
}

}  // namespace percycle

#include "site/write_site.hpp"

#include <fmt/format.h>

#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base64.hpp"
#include "html/escape.hpp"
#include "html/page.hpp"
#include "html/page_file.hpp"
#include "platform/all_cores.hpp"
#include "presentation/presentation.hpp"
#include "report/efficiency_across.hpp"
#include "report/report_json.hpp"
#include "report/report_tables.hpp"
#include "report/table_files.hpp"
#include "site/site_file.hpp"
#include "site/site_pages.hpp"
#include "store/gzip.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

/// Names the devices after their card, which other cards' names differ from.
void name_devices_of(SiteCard& card) {
  for (ReportDevice& device : card.data.devices) {
    if (device.source == Source::published) {
      device.label = card.listed.title;
      continue;
    }
    const std::size_t api = device.label.rfind(fmt::format(", {}", api_words(device.header().device.api)));
    device.label = card.listed.title + device.label.substr(api);
  }
}

/// Writes the tables of a card as CSV and returns their names.
std::vector<std::string> write_card_tables(SiteFolder& folder, const SiteCard& card, const std::vector<DeviceTables>& tables) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto write_table = [&](const std::string& name, const PointTable& table) {
      names.push_back(fmt::format("tables/{}-{}.csv.gz", card.data.devices[i].slug, name));
      folder.write(fmt::format("cards/{}/{}", card.listed.slug, names.back()), gzip(to_csv(table)));
    };
    for (const auto& [experiment, table] : tables[i].experiments) write_table(experiment, table.points);
    if (!tables[i].efficiency.table.lines.empty()) write_table("efficiency", tables[i].efficiency.table);
  }
  return names;
}

/// Leaves what the table of key figures needs.
void shrink(ReportData& data) {
  for (ReportDevice& device : data.devices) {
    device.clocks = {};
    std::erase_if(device.experiments, [&](const auto& each) {
      return device.source != Source::published && presentation_of(each.first).summary.empty();
    });
  }
}

void write_card(SiteFolder& folder, SiteCard& card) {
  card.data = card.collector->finish();
  card.collector.reset();
  name_devices_of(card);
  const std::string place = fmt::format("cards/{}/", card.listed.slug);
  const std::vector<DeviceTables> tables = report_tables(card.data);
  std::ostringstream report;
  write_json(report, card.data, tables);
  folder.write(place + "report.json.gz", gzip(report.str()));
  const ReportContent content = report_content(card.data, tables);
  for (const ChartFile& chart : content.charts) {
    if (!chart.on_page) folder.write(fmt::format("{}charts/{}.vl.json", place, chart.name), chart.specification);
  }
  if (!content.efficiency.rows.empty())
    folder.write(fmt::format("{}{}.csv.gz", place, kEfficiencyFile), gzip(to_csv(content.efficiency)));
  folder.write(place + "data.js",
               fmt::format("globalThis.percycle_cards = (globalThis.percycle_cards || new Map()).set(\"{}\", \"{}\");\n",
                           card.listed.slug, base64(gzip(to_line(content.data)))));
  for (std::future<std::string>& part : card.packed) card.records += part.get();
  card.packed.clear();
  folder.write(card.listed.page(), card_page(card, write_card_tables(folder, card, tables)));
  folder.write(card.listed.records(), card.records);
  card.records = {};
  shrink(card.data);
}

CardList list_of(const std::deque<SiteCard>& cards) {
  CardList list;
  std::vector<KeyColumn> columns;
  for (const SiteCard& card : cards) {
    list.cards.push_back(card.listed);
    columns.push_back({card.listed.title, key_devices(card.data)});
  }
  list.figures = key_figures(columns);
  return list;
}

void write_assets(SiteFolder& folder) {
  for (const char* name : {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js", "vega.LICENSE", "vega-lite.LICENSE",
                           "vega-embed.LICENSE", "report.js", "report.css"})
    folder.write(fmt::format("assets/{}", name), page_file(name));
  for (const char* name : {"site.css", "index.js", "compare.js", "unpack.js"})
    folder.write(fmt::format("assets/{}", name), site_file(name));
}

void write_data(SiteFolder& folder, const CardList& list) {
  const nlohmann::json json = to_json(list);
  folder.write("data/cards.json", json.dump(1) + '\n');
  folder.write("data/cards.js", fmt::format("globalThis.percycle_list = {};\n", script_json(json)));
  folder.write("data/cards.schema.json", output_schema("site"));
  folder.write("data/report.schema.json", output_schema("report"));
  folder.write("data/record.schema.json", record_schema());
}

}  // namespace

SiteChanges write_site(std::deque<SiteCard> cards, const std::filesystem::path& folder_path) {
  SiteFolder folder(folder_path);
  on_all_cores(cards.size(), [&](std::size_t i) { write_card(folder, cards[i]); });
  const CardList list = list_of(cards);
  write_assets(folder);
  write_data(folder, list);
  folder.write("compare.html", compare_page(list));
  folder.write("index.html", index_page(list));  // last: if it exists, the rest does
  return folder.finish();
}

}  // namespace percycle

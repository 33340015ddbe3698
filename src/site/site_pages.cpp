#include "site/site_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/counted.hpp"
#include "core/printable.hpp"
#include "core/units.hpp"
#include "core/version.hpp"
#include "html/escape.hpp"
#include "html/fill.hpp"
#include "html/page_file.hpp"
#include "report/key_figures_text.hpp"
#include "report/summary_figures.hpp"
#include "site/site_file.hpp"

namespace percycle {
namespace {

/// Scripts of the site alone. `file:` is the site on a disk; no host's page can load from there.
/// Vega sets styles in place.
constexpr const char* kSitePolicy =
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' data: blob:; base-uri "
    "'none'";

/// "* the best" is no mark of a page: pages explain it themselves.
std::string mark_words(const KeyFigures& figures) {
  KeyFigures unmarked = figures;
  for (KeyRow& row : unmarked.rows) {
    for (KeyCell& cell : row.cells) cell.is_best = false;
  }
  const std::string marks = marks_of(unmarked);
  return marks.empty() ? "" : html_text(marks) + ".";
}

std::string value_cell(const KeyRow& row, const std::optional<KeyValue>& value) {
  if (!value) return "<td>";
  const std::string share = key_share_words(*value);
  return fmt::format("<td data-v=\"{:.5g}\">{}{}", value->value, html_text(key_value_words(row, *value)),
                     share.empty() ? "" : fmt::format(" <small>{}</small>", share));
}

std::string index_row(const CardList& list, std::size_t i) {
  const ListedCard& card = list.cards[i];
  const std::string title = html_text(card.title);
  std::string row = fmt::format(
      "<tr data-vendor=\"{}\" data-apis=\"{}\" data-source=\"{}\"><th scope=\"row\"><input type=\"checkbox\" name=\"card\" "
      "value=\"{}\" aria-label=\"Compare {}\"> <a href=\"{}\">{}</a><td>{}<td>{}<td>{}",
      html_text(card.vendor), html_text(fmt::format("{}", fmt::join(card.apis, ","))), to_string(card.source), card.slug, title,
      card.page(), title, html_text(card.vendor), fmt::join(card.apis, ", "), to_string(card.source));
  for (const KeyRow& figure : list.figures.rows) row += value_cell(figure, figure.cells[i].value);
  return row + '\n';
}

/// "15 MB", "230 KB": as browsers print sizes of downloads.
std::string size_of_download(std::size_t bytes) {
  return bytes >= 1'000'000 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6)
                            : fmt::format("{:.0f} KB", std::max(1.0, static_cast<double>(bytes) / 1e3));
}

std::string table_of(const char* name, const std::vector<std::string>& titles, const std::string& rows) {
  std::string head;
  for (const std::string& title : titles) head += fmt::format("<th scope=\"col\">{}", html_text(title));
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"h-{}\"><table "
      "class=\"{}\"><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      name == std::string_view("figures") ? "key" : "method", name, head, rows);
}

std::string cells_of(const std::vector<std::string>& texts) {
  std::string cells;
  for (const std::string& text : texts) cells += "<td>" + html_text(printable(text));
  return cells;
}

/// The row of a key figure: value, share, API, run, and the point or the finding.
std::string figure_row(const KeyRow& row, const KeyValue& value) {
  const bool is_run = value.device->source != Source::published;
  const std::string api(is_run ? api_words(value.device->header().device.api) : "");
  const bool is_property = row.figure == kUnitsFigure;
  const std::string run = value.row != nullptr ? exact_text_of(value.row->run) : is_property ? "" : "all runs";
  const std::string point = value.row != nullptr ? fmt::format("{} {}", value.experiment, answer_key(*value.row))
                            : is_property        ? "a property of the device"
                                                 : "a finding from many points";
  return fmt::format("<tr><th scope=\"row\">{}{}\n", html_text(key_label(row)),
                     cells_of({key_value_words(row, value), key_share_words(value), api, run, point}));
}

std::string figure_table(const ReportData& data) {
  const KeyFigures figures = key_figures({{"", key_devices(data)}});
  std::string rows;
  for (const KeyRow& row : figures.rows) {
    const KeyCell& cell = row.cells.front();
    if (cell.value) rows += figure_row(row, *cell.value);
    if (cell.other) rows += figure_row(row, *cell.other);
  }
  if (rows.empty()) return "<p>None of its points is a key figure.</p>\n";
  return table_of("figures", {"figure", "value", "of the limit", "API", "run", "point"}, rows);
}

std::string document_rows(const ReportDevice& device) {
  std::string rows;
  for (const ReportRun& run : device.runs) {
    const Publication& from = run.header.publication.value();
    rows += "<tr>" + cells_of({run.name, from.document, fmt::format("{}", from.year), from.place, from.method, from.toolchain}) +
            '\n';
  }
  return rows;
}

std::string run_rows(const ReportDevice& device) {
  std::string rows;
  for (const ReportRun& run : device.runs) {
    const Header& header = run.header;
    const std::string version =
        header.tool_commit.empty() ? header.tool_version : fmt::format("{} ({})", header.tool_version, header.tool_commit);
    rows += "<tr>" +
            cells_of({run.name, std::string(api_words(header.device.api)), header.device.driver,
                      header.device.queue.value_or("not recorded"), version, header.options.preset, header.os}) +
            '\n';
  }
  return rows;
}

std::string method_table(const ReportData& data) {
  std::string rows;
  std::string notes;
  const bool is_document = data.devices.front().source == Source::published;
  for (const ReportDevice& device : data.devices) {
    rows += is_document ? document_rows(device) : run_rows(device);
    if (is_document) continue;
    const std::string clock = clock_words(device);
    notes += fmt::format("<p>{}: points {}.{}</p>\n", html_text(device.label), to_string(device.tally),
                         clock.empty() ? "" : " Clock: " + html_text(printable(clock)) + ".");
  }
  if (is_document) return table_of("runs", {"run", "document", "year", "place", "method", "toolchain"}, rows);
  return table_of("runs", {"run", "API", "driver", "queue", "percycle", "preset", "system"}, rows) + notes;
}

PageValues page_values() { return {{"version", std::string(tool_version())}, {"policy", kSitePolicy}}; }

std::string scripts_of_card() {
  std::string scripts;
  for (const char* name : {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js", "unpack.js", "report.js"})
    scripts += fmt::format("<script src=\"../../assets/{}\"></script>\n", name);
  return "<script src=\"data.js\"></script>\n" + scripts;
}

}  // namespace

std::vector<const ReportDevice*> key_devices(const ReportData& data) {
  std::map<Api, const ReportDevice*> last;
  for (const ReportDevice& device : data.devices) {
    const ReportDevice*& one = last[device.header().device.api];
    if (one == nullptr || one->header().created <= device.header().created) one = &device;
  }
  std::vector<const ReportDevice*> devices;
  for (const auto& [api, device] : last) devices.insert(api == Api::vulkan ? devices.end() : devices.begin(), device);
  return devices;
}

std::string index_page(const CardList& list) {
  PageValues values = page_values();
  values["title"] = "GPUs measured by percycle";
  values["count"] = counted(list.cards.size(), "card");
  values["marks"] = mark_words(list.figures);
  for (const char* title : {"card", "vendor", "API", "source"}) values["columns"] += fmt::format("<th scope=\"col\">{}", title);
  for (const KeyRow& row : list.figures.rows) values["columns"] += fmt::format("<th scope=\"col\">{}", html_text(key_label(row)));
  for (std::size_t i = 0; i < list.cards.size(); ++i) values["rows"] += index_row(list, i);
  return fill(site_file("index.html"), values);
}

std::string compare_page(const CardList& list) {
  PageValues values = page_values();
  values["best"] = fmt::format("{}", kBestPercent);
  values["marks"] = mark_words(list.figures);
  for (const ListedCard& card : list.cards)
    values["cards"] += fmt::format("<li><label><input type=\"checkbox\" name=\"card\" value=\"{}\"> {}</label>\n", card.slug,
                                   html_text(card.title));
  return fill(site_file("compare.html"), values);
}

std::string card_page(const SiteCard& card, const std::vector<std::string>& table_files) {
  PageValues values = page_values();
  values["title"] = html_text(card.listed.title);
  values["slug"] = card.listed.slug;
  values["figures"] = figure_table(card.data);
  values["method"] = method_table(card.data);
  values["records"] = card.listed.records();
  values["size"] = size_of_download(card.records.size());
  values["table_count"] = counted(table_files.size(), "file");
  for (const std::string& file : table_files) values["tables"] += fmt::format("<li><a href=\"{0}\">{0}</a>\n", file);
  values["about"] = fill(site_file("card.html"), values);
  values["styles"] =
      "<link rel=\"stylesheet\" href=\"../../assets/report.css\">\n<link rel=\"stylesheet\" href=\"../../assets/site.css\">\n";
  values["scripts"] = scripts_of_card();
  values["text_files"] = "";
  return fill(page_file("report.html"), values);
}

}  // namespace percycle

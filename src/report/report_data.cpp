#include "report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/hierarchy.hpp"
#include "analysis/repeated_point.hpp"
#include "core/clock_range.hpp"
#include "core/configuration.hpp"
#include "core/figures.hpp"
#include "core/printable.hpp"
#include "device/card_names.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/card_columns.hpp"
#include "report/row_notes.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLongestShownName = 60;  // of a device; longer ones are no names

bool belong_together(const Header& a, const Header& b) {
  if (a.source() != b.source()) return false;
  if (a.published()) return a.publication->document == b.publication->document && a.device.name == b.device.name;
  return same_device(a, b);
}

/// Whether find_hierarchy() reads the entry.
bool is_hierarchy_point(const Entry& entry) {
  const auto* point = std::get_if<PointRecord>(&entry);
  return point && shows_hierarchy(point->result.point.experiment);
}

/// The duration of a point from its record; in older records the duration of its samples.
double seconds_of(const PointResult& result) {
  if (result.seconds) return *result.seconds;
  double ns = 0;
  if (result.measurement) {
    for (const Sample& sample : result.measurement->samples) ns += sample.timing.host_ns;
  }
  return ns / 1e9;
}

/// Adds the clock of a point, the telemetry in the middle of it and its highest power; `begin` is
/// the start of the point.
void add_clocks(ReportDevice& device, const PointResult& result, double begin) {
  if (result.outcome.status != Status::ok || !result.measurement) return;
  const Measurement& measurement = *result.measurement;
  const auto& clock = measurement.clock_mhz;
  if (clock && clock->provenance == Provenance::measured_in_kernel) {
    device.clocks.push_back({.seconds = begin, .clock_mhz = clock->value, .power_w = {}, .from_telemetry = false});
  }
  const auto telemetry = fresh(measurement.telemetry);
  if (telemetry.empty()) return;
  for (const TelemetrySample& sample : telemetry) device.highest_w = std::max(device.highest_w, sample.reading.power_w);
  const TelemetrySample& middle = telemetry[telemetry.size() / 2];
  if (middle.reading.clock_mhz || middle.reading.power_w) {
    device.clocks.push_back({.seconds = begin + middle.ns / 1e9,
                             .clock_mhz = middle.reading.clock_mhz,
                             .power_w = middle.reading.power_w,
                             .from_telemetry = true});
  }
}

/// The power limit that a point's state names ("700 of 700"), if any.
std::optional<double> power_limit_of(const PointResult& result) {
  if (!result.measurement) return std::nullopt;
  const auto limit = result.measurement->observed.find("power_limit_w");
  if (limit == result.measurement->observed.end()) return std::nullopt;
  const double watts = std::strtod(limit->second.c_str(), nullptr);
  return watts > 0 ? std::optional(watts) : std::nullopt;
}

/// The highest core clock that the driver states, else the catalogue's.
std::optional<double> highest_clock(const Header& header, const DeviceLimits& limits) {
  const auto& stated = header.device.clock_mhz;
  if (stated && is_possible_clock(stated->value)) return stated->value;
  const Limit* boost = limits.find(Quantity::boost);
  return boost ? std::optional(boost->value) : std::nullopt;
}

/// Gives a card's highest clock to its other API, whose driver may state none.
void share_clocks(std::vector<ReportDevice>& devices) {
  for (ReportDevice& device : devices) {
    if (device.most_mhz || device.source == Source::published) continue;
    const auto other = std::ranges::find_if(devices, [&](const ReportDevice& each) {
      return each.most_mhz && each.source == device.source && each.header().identity == device.header().identity;
    });
    if (other != devices.end()) device.most_mhz = other->most_mhz;
  }
}

/// The text, with a number appended if it is already taken.
std::string unique(const std::string& text, const char* form, std::set<std::string>& taken) {
  std::string name = text;
  for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format(fmt::runtime(form), text, number);
  return name;
}

/// "V100 (published 2019)"
std::string document_label(const Header& header) {
  return fmt::format("{} (published {})", printable(header.device.name, kLongestShownName), header.publication->year);
}

/// How many documents give a card this label: those of one year get their authors.
std::map<std::string, std::size_t> document_labels(const std::vector<ReportDevice>& devices) {
  std::map<std::string, std::size_t> labels;
  for (const ReportDevice& device : devices) {
    if (device.source == Source::published) ++labels[document_label(device.header())];
  }
  return labels;
}

/// Numbers the cards, and names devices so that charts can distinguish them: cards of one name by
/// card_names(), several drivers of a card by their versions.
void name_devices(std::vector<ReportDevice>& devices) {
  std::vector<CardKey> keys;
  std::map<std::tuple<std::string, Api>, std::set<std::string>> drivers;
  std::map<std::string, std::size_t> cards;
  for (ReportDevice& device : devices) {
    if (device.source == Source::published) continue;
    const Header& header = device.header();
    device.card = cards.try_emplace(header.identity, cards.size() + 1).first->second;
    keys.push_back({printable(header.device.name, kLongestShownName), header.identity, header.device.pci});
    drivers[{header.identity, header.device.api}].insert(header.device.driver);
  }
  const std::vector<std::string> names = card_names(keys);
  auto name = names.begin();
  std::set<std::string> labels;
  std::set<std::string> slugs;
  const std::map<std::string, std::size_t> documents = document_labels(devices);
  for (ReportDevice& device : devices) {
    const Header& header = device.header();
    std::string label;
    if (device.source == Source::published) {
      label = document_label(header);
      if (documents.at(label) > 1) label.insert(label.size() - 1, ", " + author_of(*header.publication));
    } else {
      label = fmt::format("{}, {}", *name++, api_words(header.device.api));
      if (drivers[{header.identity, header.device.api}].size() > 1) {
        label += ", driver " + printable(header.device.driver, kLongestShownName);
      }
    }
    device.label = unique(label, "{} ({})", labels);
    device.slug = unique(slug_of(device.label), "{}-{}", slugs);
  }
}

}  // namespace

std::string slug_of(const std::string& label) {
  std::string slug;
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80u && std::isalnum(byte)) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "device" : slug;
}

struct ReportCollector::Parts {
  LimitsCatalogue catalogue;
  ReportData data{};
  AnalysisCollector analysis{};

  ReportDevice& device_of(const Header& header) {
    const auto found = std::find_if(data.devices.begin(), data.devices.end(),
                                    [&](const ReportDevice& device) { return belong_together(device.header(), header); });
    if (found != data.devices.end()) return *found;
    ReportDevice& device = data.devices.emplace_back();
    device.source = header.source();
    return device;
  }

  /// The run's name among the runs of its device.
  std::string name_of(const Header& header, const ReportDevice& device) {
    const std::string name = header.published() ? header.publication->place : header.created;
    const auto has_name = [&](const ReportRun& run) {
      return header.published() ? run.header.publication->place == name : run.header.created == name;
    };
    const bool taken = std::any_of(device.runs.begin(), device.runs.end(), has_name);
    return printable(taken ? fmt::format("{} {}", printable(name, kLongestText / 2), header.id) : name);
  }

  void add(const Run& run, const std::string& file) {
    const Header& header = *run.header;
    ReportDevice& device = device_of(header);
    const std::string name = name_of(header, device);
    device.runs.push_back({header, name, file});
    device.unit_name = header.shown_unit();
    count(device.tally, run);
    const DeviceLimits limits = limits_of_device(catalogue, header);
    if (const auto most = highest_clock(header, limits)) device.most_mhz = most;
    double seconds = device.seconds;
    std::map<std::string, std::size_t> first;  // first row of this run, by experiment
    for (const PointHistory& point : run.points) {
      if (!point.result) continue;
      PointRow row = point_row(*point.result, header, limits);
      row.run = name;
      add_clocks(device, *point.result, seconds);
      if (const auto watts = power_limit_of(*point.result)) device.most_w = watts;
      seconds += seconds_of(*point.result);
      device.compile_seconds += point.result->compile_seconds.value_or(0);
      auto& rows = device.experiments[printable(point.point->experiment)];
      first.emplace(printable(point.point->experiment), rows.size());
      rows.push_back(std::move(row));
      ++data.points;
    }
    for (const auto& [experiment, begin] : first) {
      std::vector<PointRow*> in_order;
      auto& rows = device.experiments[experiment];
      for (std::size_t i = begin; i < rows.size(); ++i) in_order.push_back(&rows[i]);
      add_row_notes(in_order);
    }
    device.seconds = seconds;
  }
};

ReportCollector::ReportCollector(LimitsCatalogue catalogue) : parts_(new Parts{std::move(catalogue)}) {}
ReportCollector::~ReportCollector() = default;

void ReportCollector::add(LoadedFile file) {
  for (const Run& run : runs(file)) parts_->add(run, file.path.string());
  std::erase_if(file.entries, [](const Entry& entry) { return !is_hierarchy_point(entry); });
  for (Entry& entry : file.entries) {
    // Samples and telemetry are most of a file. The analysis reads only the few samples of maps.
    auto& result = std::get<PointRecord>(entry).result;
    if (!result.measurement) continue;
    if (!shows_chip_map(result.point.experiment)) result.measurement->samples = {};
    result.measurement->telemetry = {};
  }
  parts_->analysis.add(std::move(file));
  ++parts_->data.files;
}

ReportData ReportCollector::finish() {
  for (DeviceAnalysis& analysis : parts_->analysis.finish()) {
    for (ReportDevice& device : parts_->data.devices) {
      if (device.source == Source::published || !same_device(device.header(), analysis.header)) continue;
      device.analysis = std::move(analysis);
      break;
    }
  }
  share_clocks(parts_->data.devices);
  name_devices(parts_->data.devices);
  return std::move(parts_->data);
}

std::vector<const PointRow*> latest_rows(const std::vector<PointRow>& rows) {
  std::vector<const PointRow*> ok;
  for (const PointRow& row : rows) {
    if (row.is_ok()) ok.push_back(&row);
  }
  std::vector<const PointRow*> latest;
  std::unordered_map<std::string, std::size_t> place;
  for (const PointRow* row : best_rows(ok)) {
    const auto [entry, is_new] = place.try_emplace(answer_key(*row), latest.size());
    if (is_new) {
      latest.push_back(row);
    } else if (const PointRow*& earlier = latest[entry->second];
               later_counts(figure(*earlier, figures::kFastestNsPerOp), figure(*row, figures::kFastestNsPerOp))) {
      earlier = row;
    }
  }
  return latest;
}

const ReportRun* run_of(const ReportDevice& device, const PointRow& row) {
  const auto found = std::ranges::find_if(device.runs, [&](const ReportRun& run) { return Cell(run.name) == row.run; });
  return found == device.runs.end() ? nullptr : &*found;
}

}  // namespace percycle

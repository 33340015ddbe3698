#include "exports/export_card.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "report/table_files.hpp"

namespace percycle {
namespace {

const ReportRun& run_behind(const CardNumber& reading) { return reading.run ? *reading.run : reading.device->runs.back(); }

std::string api_of(const CardNumber& reading) { return std::string(api_words(reading.device->header().device.api)); }

std::string sources_text(const std::vector<ExportedValue>& values) {
  std::string text = "name,value,reading,number,api,run,created,file\n";
  for (const ExportedValue& value : values) {
    for (const CardNumber& reading : value.from) {
      const ReportRun& run = run_behind(reading);
      text +=
          fmt::format("{},{},{},{},{},{},{},{}\n", value.name, csv_field(value.text), csv_field(reading.words), reading.value,
                      api_of(reading), run.header.id, csv_field(printable(run.header.created)), csv_field(printable(run.file)));
    }
  }
  return text;
}

std::string missing_text(const std::vector<MissingValue>& missing) {
  std::string text = "name,reason\n";
  for (const MissingValue& value : missing) text += fmt::format("{},{}\n", value.name, csv_field(value.reason));
  return text;
}

}  // namespace

bool CardExport::is_measured() const {
  return std::ranges::any_of(values, [](const ExportedValue& value) {
    return std::ranges::any_of(value.from, [](const CardNumber& reading) { return !reading.is_stated; });
  });
}

std::string record_words(const CardNumber& reading) {
  const ReportRun& run = run_behind(reading);
  return fmt::format("{}, run {} of {}, {}", api_of(reading), run.header.id, printable(run.header.created), printable(run.file));
}

void add_lists(CardExport& card, std::string_view target) {
  card.files.push_back({fmt::format("{}-sources.csv", target), sources_text(card.values)});
  card.files.push_back({fmt::format("{}-missing.csv", target), missing_text(card.missing)});
}

}  // namespace percycle

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// A number about a card, with the record behind it.
struct CardNumber {
  double value = 0;
  std::string words;  ///< "latency of the L1 in cycles, path global"
  const ReportDevice* device = nullptr;
  const ReportRun* run = nullptr;  ///< nullptr: all runs of the device
  bool is_stated = false;          ///< by the driver or the catalogue: no measurement
};

/// A value in another program's terms.
struct ExportedValue {
  std::string name;  ///< "-gpgpu_l1_latency", "HBMBw"
  std::string text;
  std::vector<CardNumber> from;
};

/// A value that the other program takes and the records do not have.
struct MissingValue {
  std::string name;
  std::string reason;
};

/// A file of a card's folder.
struct ExportedFile {
  std::string name;
  std::string text;
};

/// A card for another program.
struct CardExport {
  std::string title;
  std::vector<ExportedValue> values;
  std::vector<MissingValue> missing;
  std::vector<ExportedFile> files;

  /// Whether any value comes from a measurement.
  bool is_measured() const;
};

/// "OpenCL, run 0123456789abcdef of 2026-11-24T10:10:10Z, card.jsonl"; of several runs the last.
std::string record_words(const CardNumber& reading);

/// Adds two files (CSV): TARGET-sources.csv with each value and the numbers that it was made from,
/// one line per number, and TARGET-missing.csv with each missing value and the reason.
void add_lists(CardExport& card, std::string_view target);

}  // namespace percycle

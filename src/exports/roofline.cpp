#include "exports/roofline.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "report/ceilings.hpp"

// Sources: rocprofiler-compute, commit 95b600e: src/utils/roofline_calc.py (the reader) and
// tests/workloads/dispatch_0/MI200/roofline.csv; Empirical Roofline Toolkit 1.1.0, commit 0771fa9:
// Results.p100.01/Run.018/roofline.json. Bandwidths are in GB/s, rates in GFLOP/s.

namespace percycle {
namespace {

/// A ceiling in the words of both tools. The toolkit knows no rate of matrix engines.
struct RoofName {
  const char* roof;    ///< of percycle
  const char* column;  ///< of roofline.csv
  const char* label;   ///< in roofline.json; empty: it is not there
  bool is_bandwidth;
};

constexpr std::array kRoofs{RoofName{"memory", "HBMBw", "DRAM", true},
                            RoofName{"shared caches", "L2Bw", "L2", true},
                            RoofName{"L1", "L1Bw", "L1", true},
                            RoofName{"local memory", "LDSBw", "", true},
                            RoofName{"FP32", "FP32Flops", "FP32 GFLOPs", false},
                            RoofName{"FP64", "FP64Flops", "FP64 GFLOPs", false},
                            RoofName{"matrix bf16", "MFMABF16Flops", "", false},
                            RoofName{"matrix fp16", "MFMAF16Flops", "", false},
                            RoofName{"matrix fp32", "MFMAF32Flops", "", false},
                            RoofName{"matrix fp64", "MFMAF64Flops", "", false},
                            RoofName{"matrix int8", "MFMAI8Ops", "", false}};

/// The ceiling of the first device that has it.
std::optional<CardNumber> roof_of(const CardReadings& card, const RoofName& name) {
  for (const ReportDevice* device : card.devices()) {
    for (const RoofHeight& found : roof_heights(ceilings_of(*device), name.is_bandwidth)) {
      if (found.name == name.roof)
        return CardNumber{found.height, fmt::format("ceiling {}, {}", found.name, found.experiment), device, found.run};
    }
  }
  return std::nullopt;
}

std::string csv_text(const std::vector<ExportedValue>& values) {
  std::string head = "device";
  std::string line = "0";
  for (const ExportedValue& value : values) {
    head += ',' + value.name;
    line += ',' + value.text;
  }
  return head + '\n' + line + '\n';
}

/// From the level that is closest to the unit to memory.
std::string json_text(const std::string& title, const std::vector<ExportedValue>& values) {
  auto bandwidths = nlohmann::ordered_json::array();
  auto rates = nlohmann::ordered_json::array();
  auto records = nlohmann::ordered_json::object();
  for (const ExportedValue& value : values) {
    for (const RoofName& name : kRoofs) {
      if (value.name != name.column || *name.label == '\0') continue;
      nlohmann::ordered_json entry{name.label, value.from.front().value};
      if (name.is_bandwidth)
        bandwidths.insert(bandwidths.begin(), std::move(entry));
      else
        rates.push_back(std::move(entry));
      records[name.label] = record_words(value.from.front());
    }
  }
  const nlohmann::ordered_json none = nlohmann::ordered_json::object({{"data", nlohmann::ordered_json::array()}});
  const nlohmann::ordered_json all{{"empirical",
                                    {{"gbytes", {{"data", bandwidths}, {"metadata", nlohmann::ordered_json::object()}}},
                                     {"gflops", {{"data", rates}, {"metadata", nlohmann::ordered_json::object()}}},
                                     {"metadata", {{"DEVICE", title}, {"RECORDS", records}}}}},
                                   {"spec", {{"gbytes", none}, {"gflops", none}}}};
  // A name from a driver may not be UTF-8. Losing a character is better than failing.
  return all.dump(3, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

CardExport roofline_export(const KeyColumn& card) {
  const CardReadings readings(card);
  CardExport result{.title = card.title, .values = {}, .missing = {}, .files = {}};
  for (const RoofName& name : kRoofs) {
    if (const auto roof = roof_of(readings, name))
      result.values.push_back({name.column, fmt::format("{:.8g}", roof->value), {*roof}});
    else
      result.missing.push_back({name.column, fmt::format("not measured: {}", name.roof)});
  }
  result.files = {{"roofline.csv", csv_text(result.values)}, {"roofline.json", json_text(result.title, result.values)}};
  add_lists(result, kRoofline);
  return result;
}

}  // namespace percycle

#include "report/report_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "core/printable.hpp"
#include "limits/close_names.hpp"

namespace percycle {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_name(const std::string& device, const std::string& part) {
  return lower_case(device).find(lower_case(part)) != std::string::npos;
}

std::string experiment_of(const Entry& entry) {
  if (const auto* point = std::get_if<PointRecord>(&entry)) return point->result.point.experiment;
  if (const auto* started = std::get_if<Started>(&entry)) return started->point.experiment;
  return std::get<Interrupted>(entry).point.experiment;
}

const std::string& header_of(const Entry& entry) {
  return std::visit([](const auto& line) -> const std::string& { return line.header; }, entry);
}

[[noreturn]] void fail_on(const char* option, const char* kind, const std::string& name, const std::set<std::string>& seen) {
  const std::vector<std::string> all(seen.begin(), seen.end());
  const auto close = close_names(name, all);
  throw UsageError(fmt::format("{}: these files have no {} '{}'; there is: {}", option, kind, name,
                               fmt::join(close.empty() ? all : close, ", ")));
}

}  // namespace

ReportChoice::ReportChoice(std::vector<std::string> experiments, std::vector<std::string> devices)
    : experiments_(std::move(experiments)), devices_(std::move(devices)) {}

void ReportChoice::keep(LoadedFile& file) {
  std::set<std::string> left_out;  // ids of headers
  for (const Header& header : file.headers) {
    seen_devices_.insert(printable(header.device.name));
    const auto is_wanted = [&](const std::string& part) { return has_name(header.device.name, part); };
    if (!devices_.empty() && std::ranges::none_of(devices_, is_wanted)) left_out.insert(header.id);
  }
  std::erase_if(file.entries, [&](const Entry& entry) {
    const std::string experiment = experiment_of(entry);
    seen_experiments_.insert(experiment);
    const bool is_wanted = experiments_.empty() || std::ranges::find(experiments_, experiment) != experiments_.end();
    return !is_wanted || left_out.contains(header_of(entry));
  });
  if (experiments_.empty() && devices_.empty()) return;
  std::set<std::string> kept;
  for (const Entry& entry : file.entries) kept.insert(header_of(entry));
  std::erase_if(file.headers, [&](const Header& header) { return !kept.contains(header.id); });
}

void ReportChoice::check() const {
  for (const std::string& name : experiments_) {
    if (!seen_experiments_.contains(name)) fail_on("--experiment", "experiment", name, seen_experiments_);
  }
  for (const std::string& name : devices_) {
    const bool is_seen = std::ranges::any_of(seen_devices_, [&](const std::string& device) { return has_name(device, name); });
    if (!is_seen) fail_on("--device", "device", name, seen_devices_);
  }
}

}  // namespace percycle

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "store/impossible.hpp"

namespace percycle {
namespace {

// Headers have whole seconds.
constexpr double kRoundedSeconds = 2;
constexpr double kRoundedShare = 1.01;

int number_at(std::string_view text, std::size_t place, std::size_t digits) {
  int number = 0;
  if (place + digits <= text.size()) std::from_chars(text.data() + place, text.data() + place + digits, number);
  return number;
}

/// Empty if there is no such moment.
std::optional<std::chrono::sys_seconds> moment_of(std::string_view created) {
  using namespace std::chrono;
  const year_month_day day{year(number_at(created, 0, 4)), month(static_cast<unsigned>(number_at(created, 5, 2))),
                           std::chrono::day(static_cast<unsigned>(number_at(created, 8, 2)))};
  const int hour = number_at(created, 11, 2);
  const int minute = number_at(created, 14, 2);
  const int second = number_at(created, 17, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 60) return {};
  return sys_days(day) + hours(hour) + minutes(minute) + seconds(second);
}

bool same_card(const Header& a, const Header& b) { return a.identity == b.identity && a.device.api == b.device.api; }

/// The points of a header above a line, and how long they took together.
struct RunTime {
  double seconds = 0;
  std::vector<std::size_t> entries;
};

RunTime time_of_run(const NumberedLines& file, const std::string& header, std::size_t line) {
  RunTime run;
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    const auto* point = std::get_if<PointRecord>(&file.entries[i]);
    if (point == nullptr || point->header != header || file.entry_lines[i] > line) continue;
    run.seconds += point->result.seconds.value_or(0) + point->result.compile_seconds.value_or(0);
    run.entries.push_back(i);
  }
  return run;
}

}  // namespace

std::optional<std::string> impossible_moment(std::string_view created) {
  if (moment_of(created)) return {};
  return fmt::format("created: there is no {}", created);
}

std::vector<Impossible> overlapping_runs(const NumberedLines& file) {
  std::vector<Impossible> found;
  for (std::size_t i = 0; i < file.headers.size(); ++i) {
    const auto begin = moment_of(file.headers[i].created);
    if (file.headers[i].published() || !begin) continue;
    for (std::size_t next = i + 1; next < file.headers.size(); ++next) {
      const auto end = moment_of(file.headers[next].created);
      if (!end || *end < *begin || !same_card(file.headers[i], file.headers[next])) continue;
      const double between = std::chrono::duration<double>(*end - *begin).count();
      RunTime run = time_of_run(file, file.headers[i].id, file.header_lines[next]);
      if (run.seconds <= between * kRoundedShare + kRoundedSeconds) break;
      found.push_back({file.header_lines[i],
                       fmt::format("created: the points of this run took {:.1f} s together, but the next run on the card "
                                   "(line {}) began {} s later",
                                   run.seconds, file.header_lines[next], between),
                       std::move(run.entries)});
      break;
    }
  }
  return found;
}

}  // namespace percycle

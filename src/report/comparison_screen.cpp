#include "report/comparison_screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "report/key_figures_text.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

/// "B against A (opencl): 3 points worse, 2 better, of 187"
std::string pair_words(const RunComparison& comparison, const SidePair& pair) {
  const Side& before = comparison.sides[pair.before];
  const Side& after = comparison.sides[pair.after];
  return fmt::format("{} against {} ({}): {} points worse, {} better, of {}", after.name, before.name,
                     to_string(before.header->device.api), pair.count(ChangeVerdict::worse), pair.count(ChangeVerdict::better),
                     pair.rows.size());
}

/// The lines below the table.
std::vector<std::string> screen_notes(const RunComparison& comparison, const ComparedCards& cards, const KeyFigures& figures,
                                      const std::vector<std::size_t>& shown) {
  std::vector<std::string> notes;
  if (const std::string marks = marks_of(with_columns(figures, shown)); !marks.empty()) notes.push_back(marks);
  for (const SidePair& pair : comparison.pairs) {
    if (pair.relation == SidePair::Relation::states) notes.push_back(pair_words(comparison, pair));
  }
  for (const Side& side : comparison.sides) {
    const bool is_named = std::ranges::any_of(shown, [&](std::size_t i) {
      return cards.columns[i].title.ends_with(')') && !side.header->published() &&
             (" " + cards.sides[i] + ",").find(" " + side.name + ",") != std::string::npos;
    });
    if (is_named) notes.push_back(fmt::format("{}: {}", side.name, fmt::join(side.files, ", ")));
  }
  const std::size_t left_out = figures.columns.size() - shown.size();
  if (left_out > 0) notes.push_back(fmt::format("{} more card{}: --wide", left_out, left_out == 1 ? "" : "s"));
  return notes;
}

}  // namespace

std::string comparison_screen(const RunComparison& comparison, const ComparedCards& cards, const KeyFigures& figures,
                              const ScreenSize& size) {
  std::vector<std::size_t> shown(figures.columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (!size.has_all_cards) shown = shown_columns(figures, cards, cards_within(figures, size.columns));
  std::string notes;
  for (const std::string& note : screen_notes(comparison, cards, figures, shown)) notes += wrap_lines(note + '\n', size.columns);
  const auto below = static_cast<std::size_t>(std::ranges::count(notes, '\n')) + 1;
  return fmt::format("{}\n{}", to_text(with_columns(figures, shown), size.columns, size.lines > below ? size.lines - below : 0),
                     notes);
}

}  // namespace percycle

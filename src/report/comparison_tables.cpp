#include "report/comparison_tables.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "presentation/configuration.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

/// The state of a published card, which no run has as a parameter: "1 GHz".
constexpr const char* kClockSetting = "clock_setting";

bool is_state(const std::string& parameter) {
  return parameter == kClockSetting || std::find(kModes.begin(), kModes.end(), parameter) != kModes.end();
}

Parameters states_of(const Parameters& parameters) {
  Parameters states;
  std::copy_if(parameters.begin(), parameters.end(), std::inserter(states, states.end()),
               [](const auto& parameter) { return is_state(parameter.first); });
  return states;
}

bool has_all_of(const Parameters& holder, const Parameters& parameters) {
  return std::all_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
    const auto found = holder.find(parameter.first);
    return found != holder.end() && found->second == parameter.second;
  });
}

/// The parameters that a measured question beside a published point may have: its own, and those
/// that the presentation puts in their place.
std::vector<Parameters> places_of(const Point& published) {
  Parameters own = published.parameters;
  std::erase_if(own, [](const auto& parameter) { return is_state(parameter.first); });
  std::vector<Parameters> places{own};
  for (const PublishedPlace& place : presentation_of(published.experiment).published) {
    if (own.size() != place.published.size() || !has_words(own, place.published)) continue;
    Parameters beside;
    for (const auto& [name, words] : place.measured) beside[name] = words;
    places.push_back(std::move(beside));
  }
  return places;
}

/// Builds the rows, measured questions first.
class Tables {
 public:
  explicit Tables(const std::vector<Side>& sides) : sides_(sides) {
    for (std::size_t side = 0; side < sides.size(); ++side) {
      if (!sides[side].header->published()) add_measured(side);
    }
    for (std::size_t side = 0; side < sides.size(); ++side) {
      if (sides[side].header->published()) add_published(side);
    }
  }

  std::map<std::string, std::vector<TableRow>> take() && {
    std::map<std::string, std::vector<TableRow>> tables;
    for (auto& [text, row] : rows_) {
      if (std::count(row.answers.begin(), row.answers.end(), nullptr) + 2 > std::ssize(sides_)) continue;
      const std::string experiment = row.question.experiment;
      tables[experiment].push_back(std::move(row));
    }
    // By text 1024 would come before 256.
    for (auto& [experiment, rows] : tables) {
      std::sort(rows.begin(), rows.end(),
                [](const TableRow& a, const TableRow& b) { return a.question.parameters < b.question.parameters; });
    }
    return tables;
  }

 private:
  TableRow& row_of(const std::string& text, const Point& question) {
    const auto [found, is_new] = rows_.try_emplace(text);
    if (is_new) {
      found->second.question = question;
      found->second.answers.resize(sides_.size());
      found->second.is_wider.resize(sides_.size());
    }
    return found->second;
  }

  void add_measured(std::size_t side) {
    for (const auto& [text, answer] : sides_[side].answers) {
      Point question = question_without_mode(answer.result->point);
      TableRow& row = row_of(text, question);
      if (!row.answers[side]) row.answers[side] = &answer;
      questions_[question.experiment].emplace(text, std::move(question));
    }
  }

  /// The best measured answer to a question; nullptr if there is none.
  const SideAnswer* measured_answer(const std::string& text) const {
    for (const Side& side : sides_) {
      const auto found = side.answers.find(text);
      if (!side.header->published() && found != side.answers.end()) return &found->second;
    }
    return nullptr;
  }

  /// The measured question beside which a published one stands; empty if there is none.
  std::string neighbour(const Point& published) const {
    const auto questions = questions_.find(published.experiment);
    if (questions == questions_.end()) return {};
    for (const Parameters& place : places_of(published)) {
      std::string best;
      const SideAnswer* best_answer = nullptr;
      for (const auto& [text, question] : questions->second) {
        if (!has_all_of(question.parameters, place)) continue;
        if (question.parameters.contains(parameter::kTest) && !place.contains(parameter::kTest)) continue;
        const SideAnswer* answer = measured_answer(text);
        if (best_answer && !(answer->metric.name == best_answer->metric.name &&
                             is_better(answer->metric.name, answer->value, best_answer->value)))
          continue;
        best = text;
        best_answer = answer;
      }
      if (best_answer) return best;
    }
    return {};
  }

  /// A figure of a card in a state has a row of its own, with the measured answers beside it.
  TableRow& stated_row(const TableRow& base, const Parameters& states) {
    TableRow row = base;
    for (const auto& [name, value] : states) row.question.parameters[name] = value;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      if (sides_[side].header->published()) row.answers[side] = nullptr;
    }
    return rows_.try_emplace(to_string(row.question), std::move(row)).first->second;
  }

  void add_published(std::size_t side) {
    for (const auto& [text, answer] : sides_[side].answers) {
      const Point question = question_of(answer.result->point, *answer.header);
      Point plain = question;
      std::erase_if(plain.parameters, [](const auto& parameter) { return is_state(parameter.first); });
      const std::string beside = neighbour(plain);
      TableRow* row = &row_of(beside.empty() ? to_string(plain) : beside, plain);
      if (const Parameters states = states_of(question.parameters); !states.empty()) row = &stated_row(*row, states);
      row->answers[side] = &answer;
      row->is_wider[side] = row->question.parameters.size() > question.parameters.size();
    }
  }

  const std::vector<Side>& sides_;
  std::map<std::string, TableRow> rows_;                           // by the text of their questions
  std::map<std::string, std::map<std::string, Point>> questions_;  // measured ones, by experiment
};

}  // namespace

std::map<std::string, std::vector<TableRow>> comparison_tables(const std::vector<Side>& sides) { return Tables(sides).take(); }

}  // namespace percycle

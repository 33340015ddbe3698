#include "session/worker_client.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "device/json_fields.hpp"
#include "session/enumerate.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

}  // namespace

std::string WorkerClient::open() {
  child_ = std::make_unique<Child>(std::vector<std::string>{"measure"}, only_driver(device_.api, device_.driver_manifest));
  json which{{"api", to_string(device_.api)}, {"open_index", device_.open_index}, {"model", device_.model}};
  if (code_) which["code"] = code_->capability.value_or("");
  asked_to_stop_ = false;
  child_->send(to_line(which));
  const auto deadline = Clock::now() + deadline_;
  for (;;) {
    const auto event = child_->next(deadline);
    if (event.kind == Child::Event::Kind::timed_out && event.interrupted) continue;
    if (event.kind == Child::Event::Kind::line) {
      JsonDocument document;
      const JsonValue answer = document.parse(event.text);
      if (answer.find("opened")) return {};
      child_.reset();
      return JsonFields(answer, "the worker's answer").text("refused");
    }
    child_.reset();
    if (event.kind == Child::Event::Kind::ended) return fmt::format("opening the device crashed ({})", event.text);
    return fmt::format("opening the device took more than {} s", deadline_.count());
  }
}

WorkerClient::Answer WorkerClient::failed(Answer::Kind kind, const Point& point, std::string reason) {
  child_.reset();
  return {kind, {point, {Status::failed, std::move(reason)}, std::nullopt}, {}};
}

WorkerClient::Answer WorkerClient::measure(const Point& point, const std::string& preset, std::uint64_t seed,
                                           const std::atomic<bool>& stop) {
  if (!child_) {
    std::string reason = std::exchange(refusal_, {});
    if (reason.empty()) reason = open();
    if (!reason.empty()) return {Answer::Kind::refused, {}, std::move(reason)};
  }
  child_->send(to_line(json{{"point", to_json(point)}, {"preset", preset}, {"seed", seed}}));
  const auto event = next_event(Clock::now() + deadline_, stop);
  if (event.kind == Child::Event::Kind::timed_out)
    return failed(Answer::Kind::ended, point, fmt::format("timed out: no result within {} s", deadline_.count()));
  if (event.kind == Child::Event::Kind::ended) return failed(Answer::Kind::ended, point, fmt::format("crashed ({})", event.text));
  JsonDocument document;
  const JsonValue answer = document.parse(event.text);
  if (answer.find("interrupted")) return {Answer::Kind::interrupted, {}, {}};
  JsonFields fields(answer, "the worker's answer");
  PointResult result = point_result_from_json(fields.required("result"));
  const bool lost = fields.boolean("device_lost");
  if (lost) child_.reset();
  return {lost ? Answer::Kind::lost : Answer::Kind::result,
          std::move(result),
          {},
          fields.optional_number("code_seconds").value_or(0)};
}

void WorkerClient::read_ahead(const std::vector<Point>& points, std::uint64_t seed, const std::atomic<bool>& stop) {
  if (fails_ahead_) return;
  if (!child_) refusal_ = open();
  if (!child_) return;
  json list = json::array();
  for (const auto& point : points) list.push_back(to_json(point));
  child_->send(to_line(json{{"read_ahead", std::move(list)}, {"seed", seed}}));
  for (;;) {
    const auto event = next_event(Clock::now() + deadline_, stop);  // one event for each program
    if (event.kind != Child::Event::Kind::line) {
      fails_ahead_ = true;
      child_.reset();
      return;
    }
    JsonDocument document;
    if (document.parse(event.text).find("read")) return;
  }
}

Child::Event WorkerClient::next_event(Clock::time_point deadline, const std::atomic<bool>& stop) {
  for (;;) {
    if (stop && !std::exchange(asked_to_stop_, true)) child_->ask_to_stop();
    auto event = child_->next(deadline);
    if (event.kind != Child::Event::Kind::timed_out || !event.interrupted) return event;
  }
}

}  // namespace percycle

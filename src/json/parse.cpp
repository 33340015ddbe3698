#include "json/parse.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace percycle {
namespace {

using nlohmann::json;

// A hundred times the values in a line of a long run. More would take memory out of proportion to
// the text.
constexpr std::size_t kMostValues = 1'000'000;
constexpr std::size_t kDeepest = 64;

/// The library's message begins with "[json.exception.parse_error.101] parse error at line 1,
/// column 7: ".
std::string_view reason(std::string_view message) {
  const std::string_view place = "parse error at line";
  message.remove_prefix(message.find("] ") + 2);
  if (message.starts_with(place)) message.remove_prefix(message.find(": ") + 2);
  return message;
}

[[noreturn]] void fail(std::size_t byte, std::string_view what) {
  throw std::invalid_argument(fmt::format("not JSON: byte {}: {}", byte, what));
}

/// Builds the value like json::parse(), but refuses two things that json::parse() accepts: a
/// repeated member and a number too small for a double. The library prescribes the names of the
/// functions.
class Builder {
 public:
  json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(json::number_integer_t value) { return add(value); }
  bool number_unsigned(json::number_unsigned_t value) { return add(value); }
  bool number_float(json::number_float_t value, const std::string& spelled) {
    const bool is_zero = spelled.substr(0, spelled.find_first_of("eE")).find_first_of("123456789") == std::string::npos;
    if (value == 0 && !is_zero) throw std::invalid_argument(fmt::format("not JSON: {} is too small for a number", spelled));
    return add(value);
  }
  bool string(std::string& value) { return add(std::move(value)); }
  static bool binary(const json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(json::value_t::object); }
  bool start_array(std::size_t) { return open(json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    const auto [place, is_new] = open_.back()->get_ref<json::object_t&>().try_emplace(std::move(name));
    if (!is_new) throw std::invalid_argument(fmt::format("'{}' appears twice", place->first));
    member_ = &place->second;
    return true;
  }
  static bool parse_error(std::size_t byte, const std::string&, const std::exception& error) { fail(byte, reason(error.what())); }

 private:
  template <typename T>
  json& put(T&& value) {
    if (++values_ > kMostValues) throw std::invalid_argument(fmt::format("more than {} values", kMostValues));
    json& place = open_.empty()               ? root_
                  : open_.back()->is_object() ? *member_
                                              : open_.back()->get_ref<json::array_t&>().emplace_back();
    return place = json(std::forward<T>(value));
  }
  template <typename T>
  bool add(T&& value) {
    put(std::forward<T>(value));
    return true;
  }
  bool open(json::value_t type) {
    open_.push_back(&put(type));
    if (open_.size() > kDeepest)
      throw std::invalid_argument(fmt::format("lists and objects within each other, more than {} deep", kDeepest));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::size_t values_ = 0;
  std::vector<json*> open_;  ///< objects and lists that are still open
  json* member_ = nullptr;   ///< member of the innermost object that waits for its value
};

}  // namespace

json parse_json(std::string_view text) {
  // The library treats a zero byte as the end of the text and skips a byte order mark.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) fail(zero + 1, "a zero byte");
  if (text.starts_with('\xef')) fail(1, "a byte order mark");
  Builder builder;
  json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace percycle

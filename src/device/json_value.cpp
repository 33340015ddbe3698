#include "device/json_value.hpp"

#include <fmt/format.h>

// Copies texts 16 bytes at a time.
#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#elif defined(__ARM_NEON)
#define RAPIDJSON_NEON
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace percycle {
namespace {

using Type = JsonNode::Type;

/// Takes the reader's events and lays down the nodes. Names and signatures of the functions are those that RapidJSON calls.
class Builder {
 public:
  explicit Builder(std::vector<JsonNode>& nodes) : nodes_(nodes) {}

  /// Why it stopped the reader; nullptr when it did not.
  const char* refusal() const { return refusal_; }

  bool Null() { return add(Type::null) != nullptr; }
  bool Bool(bool value) {
    add(Type::boolean)->boolean = value;
    return true;
  }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const char* const end = text + length;
    const bool is_whole = std::none_of(text, end, [](char c) { return c == '.' || c == 'e' || c == 'E'; });
    JsonNode& node = *add(Type::real);
    if (is_whole && *text != '-' && std::from_chars(text, end, node.natural).ec == std::errc()) {
      node.type = Type::natural;
      return true;
    }
    if (is_whole && *text == '-' && std::from_chars(text, end, node.negative).ec == std::errc()) {
      node.type = node.negative == 0 ? Type::natural : Type::negative;
      return true;
    }
    const auto result = std::from_chars(text, end, node.real);
    return (result.ec == std::errc() && std::isfinite(node.real)) || refuse("Number outside of what a double can hold.");
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    add(Type::text)->text = {text, length};
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    key_ = {text, length};
    return true;
  }
  bool StartObject() { return open(Type::object); }
  bool StartArray() { return open(Type::list); }
  bool EndObject(rapidjson::SizeType size) { return close(size); }
  bool EndArray(rapidjson::SizeType size) { return close(size); }

  // Numbers come as RawNumber(), but the reader names these, too.
  static bool Int(int) { return false; }
  static bool Uint(unsigned) { return false; }
  static bool Int64(std::int64_t) { return false; }
  static bool Uint64(std::uint64_t) { return false; }
  static bool Double(double) { return false; }

 private:
  JsonNode* add(Type type) {
    JsonNode& node = nodes_.emplace_back();
    node.type = type;
    node.key = key_;
    return &node;
  }
  bool open(Type type) {
    constexpr std::size_t kDeepest = 64;  // the reader recurses
    if (open_.size() == kDeepest) return refuse("Nested too deeply.");
    open_.push_back(nodes_.size());
    add(type);
    return true;
  }
  bool close(rapidjson::SizeType size) {
    JsonNode& node = nodes_[open_.back()];
    node.size = size;
    node.span = static_cast<std::uint32_t>(nodes_.size() - open_.back());
    open_.pop_back();
    return true;
  }
  bool refuse(const char* why) {
    refusal_ = why;
    return false;
  }

  std::vector<JsonNode>& nodes_;
  std::vector<std::size_t> open_;  ///< objects and lists whose end is still to come
  std::string_view key_;
  const char* refusal_ = nullptr;
};

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);  // without a branch, so that the compiler takes many at once
  return all < 0x80;
}

}  // namespace

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  for (const JsonValue member : *this) {
    if (member.key() == key) return member;
  }
  return std::nullopt;
}

JsonValue JsonDocument::parse(std::string_view text) {
  constexpr std::size_t kReadAtOnce = 16;  // so far past the end the reader may look
  text_.reserve(text.size() + kReadAtOnce);
  text_ = text;
  nodes_.clear();
  Builder builder(nodes_);
  rapidjson::InsituStringStream stream(text_.data());
  rapidjson::Reader reader;
  // Numbers as they are spelled: std::from_chars is exact and fast, the reader's own conversion is one or the other.
  constexpr unsigned kHow = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;
  // Looking at each character for UTF-8 takes as long as the rest.
  const auto result = is_ascii(text) ? reader.Parse<kHow>(stream, builder)
                                     : reader.Parse<kHow | rapidjson::kParseValidateEncodingFlag>(stream, builder);
  if (result.IsError()) {
    const char* const why = builder.refusal() != nullptr ? builder.refusal() : rapidjson::GetParseError_En(result.Code());
    throw std::invalid_argument(fmt::format("byte {}: {}", result.Offset() + 1, why));
  }
  // A zero byte looks like the end of the text.
  if (stream.Tell() != text.size()) throw std::invalid_argument(fmt::format("byte {}: A zero byte.", stream.Tell() + 1));
  return JsonValue(nodes_.front());
}

}  // namespace percycle

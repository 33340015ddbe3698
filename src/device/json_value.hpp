#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// One value of a JSON text as it was read. The values of a text lie in one list, each before what it holds, so that reading a line
/// takes no memory of its own: record files have hundreds of thousands of them.
struct JsonNode {
  enum class Type : std::uint8_t { null, boolean, negative, natural, real, text, list, object };

  Type type = Type::null;
  std::uint32_t size = 0;  ///< items of a list, members of an object
  std::uint32_t span = 1;  ///< nodes up to the next value beside this one
  std::string_view key;    ///< of a member
  std::string_view text;
  bool boolean = false;
  std::int64_t negative = 0;  ///< a number below 0 without fraction and exponent
  std::uint64_t natural = 0;  ///< such a number from 0 on
  double real = 0;            ///< any other number
};

/// A look at one value; it is as cheap to copy as a pointer and lives no longer than the JsonDocument's text.
class JsonValue {
 public:
  explicit JsonValue(const JsonNode& node) : node_(&node) {}

  JsonNode::Type type() const { return node_->type; }
  bool is_boolean() const { return node_->type == JsonNode::Type::boolean; }
  bool is_number() const { return is_whole() || node_->type == JsonNode::Type::real; }
  /// Written without fraction and exponent, and within 64 bits: 1.0 is none.
  bool is_whole() const { return node_->type == JsonNode::Type::negative || is_natural(); }
  bool is_natural() const { return node_->type == JsonNode::Type::natural; }
  bool is_text() const { return node_->type == JsonNode::Type::text; }
  bool is_list() const { return node_->type == JsonNode::Type::list; }
  bool is_object() const { return node_->type == JsonNode::Type::object; }

  // Each only for a value of its kind.
  bool boolean() const { return node_->boolean; }
  double number() const {
    if (node_->type == JsonNode::Type::real) return node_->real;
    return is_natural() ? static_cast<double>(node_->natural) : static_cast<double>(node_->negative);
  }
  std::uint64_t natural() const { return node_->natural; }
  std::int64_t negative() const { return node_->negative; }
  std::string_view text() const { return node_->text; }

  /// Of a value in an object.
  std::string_view key() const { return node_->key; }

  /// Items of a list, members of an object; nothing else has any.
  std::size_t size() const { return node_->size; }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = JsonValue;

    Iterator() = default;
    explicit Iterator(const JsonNode* node) : node_(node) {}
    JsonValue operator*() const { return JsonValue(*node_); }
    Iterator& operator++() {
      node_ += node_->span;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const JsonNode* node_ = nullptr;
  };
  Iterator begin() const { return Iterator(node_ + 1); }
  Iterator end() const { return Iterator(node_ + node_->span); }

  /// The member of an object; empty when there is none, or this is no object.
  std::optional<JsonValue> find(std::string_view key) const;

 private:
  const JsonNode* node_;
};

/// Reads JSON texts one after the other in the same memory. Numbers are read exactly; what no double holds is refused.
class JsonDocument {
 public:
  /// The value of the text, until the next one is read. Throws std::invalid_argument "byte N: WHAT" for what is not JSON in UTF-8,
  /// nested deeper than 64 levels, or holds a number outside of what a double can.
  JsonValue parse(std::string_view text);

 private:
  std::string text_;  ///< a copy, in which escapes are replaced
  std::vector<JsonNode> nodes_;
};

}  // namespace percycle

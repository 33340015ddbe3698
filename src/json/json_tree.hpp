#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace percycle {

/// A value in a JsonTree. The values inside it follow it in memory.
class JsonNode {
 public:
  enum class ValueKind : std::uint8_t { null, boolean, whole, negative, real, text, list, object };

  ValueKind kind() const { return kind_; }
  std::string_view name() const { return {name_, name_bytes_}; }  ///< of a member of an object
  std::string_view text() const { return {data_.text, size_}; }
  std::size_t size() const { return size_; }  ///< number of items or members
  bool boolean() const { return data_.whole != 0; }
  std::uint64_t whole() const { return data_.whole; }
  std::int64_t negative() const { return data_.negative; }
  double real() const { return data_.real; }
  bool is_number() const { return kind_ == ValueKind::whole || kind_ == ValueKind::negative || kind_ == ValueKind::real; }
  /// The value of any number.
  double number() const {
    return kind_ == ValueKind::real    ? data_.real
           : kind_ == ValueKind::whole ? static_cast<double>(data_.whole)
                                       : static_cast<double>(data_.negative);
  }

  /// The member of this name; nullptr if there is none.
  const JsonNode* find(std::string_view name) const;

  /// Visits the items or members.
  template <typename Visit>
  void each(const Visit& visit) const {
    const JsonNode* child = this + 1;
    for (std::uint32_t i = 0; i < size_; ++i, child += child->count_) visit(*child);
  }

 private:
  friend class TreeBuilder;

  const char* name_ = nullptr;
  union {
    std::uint64_t whole = 0;
    std::int64_t negative;
    double real;
    const char* text;
  } data_;
  std::uint32_t name_bytes_ = 0;
  std::uint32_t size_ = 0;   ///< items, members, or bytes of a text
  std::uint32_t count_ = 1;  ///< this value and all values inside it
  ValueKind kind_ = ValueKind::null;
};

/// A JSON text as one array of values, which point into the text. Reading it takes a fraction of
/// parse_json()'s time. It knows only plain texts: printable ASCII without escapes, numbers that
/// fit, no repeated member.
class JsonTree {
 public:
  /// The value of the text, valid until the next call and as long as the text; nullptr for a text
  /// that is not plain, which parse_json() decides about.
  const JsonNode* parse(std::string_view text);

 private:
  std::vector<JsonNode> nodes_;
};

}  // namespace percycle

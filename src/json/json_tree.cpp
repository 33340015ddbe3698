#include "json/json_tree.hpp"

#include <charconv>
#include <system_error>

namespace percycle {
namespace {

constexpr int kDeepestPlain = 32;
constexpr std::size_t kLongestText = 1'000'000;  // bytes: the fields of a node have 32 bits
constexpr std::uint32_t kMostMembers = 100;      // each is compared with those before it

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

/// Appends the values of a text. Each function is false for a text that is not plain.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::vector<JsonNode>& nodes)
      : at_(text.data()), end_(text.data() + text.size()), nodes_(nodes) {}

  bool whole_text() {
    if (!value({}, 0)) return false;
    skip_spaces();
    return at_ == end_;
  }

 private:
  using ValueKind = JsonNode::ValueKind;

  void skip_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view spelled) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(spelled)) return false;
    at_ += spelled.size();
    return true;
  }
  /// After the opening quote.
  bool rest_of_text(std::string_view& text) {
    const char* begin = at_;
    while (at_ != end_ && *at_ >= ' ' && *at_ < '\x7f' && *at_ != '"' && *at_ != '\\') ++at_;
    if (at_ == end_ || *at_ != '"') return false;
    text = {begin, static_cast<std::size_t>(at_ - begin)};
    ++at_;
    return true;
  }

  bool value(std::string_view name, int depth) {
    skip_spaces();
    if (at_ == end_ || depth > kDeepestPlain) return false;
    const std::size_t place = nodes_.size();
    JsonNode& node = nodes_.emplace_back();
    node.name_ = name.data();
    node.name_bytes_ = static_cast<std::uint32_t>(name.size());
    switch (*at_) {
      case '{':
        ++at_;
        return members(place, depth);
      case '[':
        ++at_;
        return items(place, depth);
      case '"': {
        ++at_;
        std::string_view text;
        if (!rest_of_text(text)) return false;
        node.kind_ = ValueKind::text;
        node.data_.text = text.data();
        node.size_ = static_cast<std::uint32_t>(text.size());
        return true;
      }
      case 't':
        node.kind_ = ValueKind::boolean;
        node.data_.whole = 1;
        return word("true");
      case 'f':
        node.kind_ = ValueKind::boolean;
        return word("false");
      case 'n':
        return word("null");
      default:
        return number(node);
    }
  }

  bool number(JsonNode& node) {
    const char* begin = at_;
    const bool is_negative = *at_ == '-';
    if (is_negative) ++at_;
    const char* digits = at_;
    if (!skip_digits() || (*digits == '0' && at_ - digits > 1)) return false;
    bool is_real = false;
    if (at_ != end_ && *at_ == '.') {
      is_real = true;
      ++at_;
      if (!skip_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      is_real = true;
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!skip_digits()) return false;
    }
    node.kind_ = is_real ? ValueKind::real : is_negative ? ValueKind::negative : ValueKind::whole;
    const auto read = is_real       ? std::from_chars(begin, at_, node.data_.real)
                      : is_negative ? std::from_chars(begin, at_, node.data_.negative)
                                    : std::from_chars(begin, at_, node.data_.whole);
    return read.ec == std::errc() && read.ptr == at_;
  }
  bool skip_digits() {
    const char* begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  bool items(std::size_t place, int depth) {
    std::uint32_t size = 0;
    if (!take(']')) {
      do {
        if (!value({}, depth + 1)) return false;
        ++size;
      } while (take(','));
      if (!take(']')) return false;
    }
    close(place, ValueKind::list, size);
    return true;
  }
  bool members(std::size_t place, int depth) {
    std::uint32_t size = 0;
    if (!take('}')) {
      do {
        std::string_view name;
        if (!take('"') || !rest_of_text(name) || !take(':')) return false;
        if (has_member(place, size, name) || size == kMostMembers || !value(name, depth + 1)) return false;
        ++size;
      } while (take(','));
      if (!take('}')) return false;
    }
    close(place, ValueKind::object, size);
    return true;
  }
  bool has_member(std::size_t place, std::uint32_t size, std::string_view name) const {
    const JsonNode* member = &nodes_[place] + 1;
    for (std::uint32_t i = 0; i < size; ++i, member += member->count_) {
      if (member->name() == name) return true;
    }
    return false;
  }
  void close(std::size_t place, ValueKind kind, std::uint32_t size) {
    JsonNode& node = nodes_[place];
    node.kind_ = kind;
    node.size_ = size;
    node.count_ = static_cast<std::uint32_t>(nodes_.size() - place);
  }

  const char* at_;
  const char* end_;
  std::vector<JsonNode>& nodes_;
};

const JsonNode* JsonNode::find(std::string_view name) const {
  const JsonNode* member = this + 1;
  for (std::uint32_t i = 0; i < size_; ++i, member += member->count_) {
    if (member->name() == name) return member;
  }
  return nullptr;
}

const JsonNode* JsonTree::parse(std::string_view text) {
  nodes_.clear();
  if (text.size() > kLongestText || !TreeBuilder(text, nodes_).whole_text()) return nullptr;
  return nodes_.data();
}

}  // namespace percycle

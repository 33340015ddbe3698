#include "device/plain_json.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace percycle {
namespace {

using Type = JsonNode::Type;

/// Whether a byte stands for itself in a text.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53u;  ///< up to which a double holds every whole number
constexpr std::array kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Every text ends in a zero byte, which nothing takes: it needs no other check for its end.
class PlainReader {
 public:
  PlainReader(const std::string& text, std::vector<JsonNode>& nodes)
      : at_(text.data()), end_(text.data() + text.size()), nodes_(nodes) {}

  bool read() {
    skip_space();
    if (!read_value({}, 0)) return false;
    skip_space();
    return at_ == end_;
  }

 private:
  void skip_space() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }
  bool take(char c) {
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool take_comma() {
    if (!take(',')) return false;
    skip_space();
    return true;
  }
  bool take(std::string_view word) {
    if (!std::string_view(at_, end_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// `depth`: how many lists and objects it is in.
  bool read_value(std::string_view key, unsigned depth) {
    JsonNode& node = nodes_.emplace_back();
    node.key = key;
    switch (*at_) {
      case '{':
        node.type = Type::object;
        return read_items('}', depth + 1);
      case '[':
        node.type = Type::list;
        return read_items(']', depth + 1);
      case '"':
        node.type = Type::text;
        return read_text(node.text);
      case 't':
        node.type = Type::boolean;
        return node.boolean = take("true");
      case 'f':
        node.type = Type::boolean;
        return take("false");
      case 'n':
        return take("null");
      default:
        return read_number(node);
    }
  }

  /// The items of the last value, a list or an object, which ends so.
  bool read_items(char end, unsigned depth) {
    constexpr unsigned kDeepest = 64;
    if (depth > kDeepest) return false;
    const std::size_t place = nodes_.size() - 1;
    std::uint32_t size = 0;
    ++at_;
    skip_space();
    while (!take(end)) {
      if (size++ > 0 && !take_comma()) return false;
      std::string_view key;
      if (end == '}' && !read_key(key)) return false;
      if (!read_value(key, depth)) return false;
      skip_space();
    }
    nodes_[place].size = size;
    nodes_[place].span = static_cast<std::uint32_t>(nodes_.size() - place);
    return true;
  }

  bool read_key(std::string_view& key) {
    if (*at_ != '"' || !read_text(key)) return false;
    skip_space();
    if (!take(':')) return false;
    skip_space();
    return true;
  }

  bool read_text(std::string_view& text) {
    const char* const begin = ++at_;
    while (kPlain[static_cast<unsigned char>(*at_)]) ++at_;
    text = {begin, at_};
    return take('"');
  }

  /// Adds digits, of which there must be one at least, to a number, which wraps around where it gets too large.
  bool read_digits(std::uint64_t& number) {
    if (!is_digit(*at_)) return false;
    for (; is_digit(*at_); ++at_) number = 10 * number + static_cast<std::uint64_t>(*at_ - '0');
    return true;
  }

  bool read_number(JsonNode& node) {
    const char* const begin = at_;
    const bool below = take('-');
    const char* const first = at_;
    std::uint64_t digits = 0;
    if (!read_digits(digits) || (*first == '0' && at_ > first + 1)) return false;
    const char* const point = at_;
    if (*at_ == '.') {
      ++at_;
      if (!read_digits(digits)) return false;
    }
    constexpr std::ptrdiff_t kExact = 19;  // digits, or one less and a point: they fit into 64 bits
    const bool fits = at_ - first <= kExact;
    if (*at_ == 'e' || *at_ == 'E') return read_exponent() && convert(begin, node);
    if (at_ == point) {
      if (!fits || digits > INT64_MAX) return false;
      const bool is_natural = !below || digits == 0;
      node.type = is_natural ? Type::natural : Type::negative;
      if (is_natural) node.natural = digits;
      if (!is_natural) node.negative = -static_cast<std::int64_t>(digits);
      return true;
    }
    const auto decimals = static_cast<std::size_t>(at_ - point - 1);
    // Two numbers that a double holds exactly: their quotient is rounded once, as it must be.
    if (!fits || digits > kMostExact || decimals >= kPowers.size()) return convert(begin, node);
    node.type = Type::real;
    node.real = static_cast<double>(digits) / kPowers[decimals];
    if (below) node.real = -node.real;
    return true;
  }

  /// Of two digits at most: more have rules of their own.
  bool read_exponent() {
    ++at_;
    if (*at_ == '-' || *at_ == '+') ++at_;
    const char* const first = at_;
    std::uint64_t exponent = 0;
    return read_digits(exponent) && at_ - first <= 2;
  }

  bool convert(const char* begin, JsonNode& node) const {
    constexpr std::ptrdiff_t kLongest = 40;  // characters: with two digits of exponent far from a double's range
    node.type = Type::real;
    return at_ - begin <= kLongest && std::from_chars(begin, at_, node.real).ec == std::errc();
  }

  const char* at_;
  const char* const end_;
  std::vector<JsonNode>& nodes_;
};

}  // namespace

bool read_plain_json(const std::string& text, std::vector<JsonNode>& nodes) { return PlainReader(text, nodes).read(); }

}  // namespace percycle

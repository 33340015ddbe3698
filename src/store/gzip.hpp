#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct z_stream_s;

namespace percycle {

/// The first bytes of a file that gzip made.
constexpr std::string_view kGzipMark = "\x1f\x8b";

/// The text as a gzip file without name and date, so that the same text gives the same bytes.
std::string gzip(std::string_view text);

/// Unpacks the members of a gzip file one after the other.
class Gunzip {
 public:
  /// Reads the next packed bytes into the buffer; returns 0 at the end.
  using Source = std::function<std::size_t(std::span<char>)>;

  explicit Gunzip(Source source);

  /// Unpacks at least one byte; returns 0 at the end and at damage.
  std::size_t read(std::span<char> text);

  /// A predicate of the compressed data, "ends early"; empty as long as it is sound.
  const std::string& damage() const { return damage_; }

 private:
  void unpack_once();

  Source source_;
  std::array<char, 1 << 16> packed_{};
  std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> stream_;
  bool between_members_ = true;
  std::string damage_;
};

}  // namespace percycle

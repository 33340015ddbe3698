#include "store/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

namespace percycle {
namespace {

constexpr int kGzipFormat = 15 + 16;  // zlib's code for a window of 32 KiB in gzip's format
constexpr int kMostMemory = 9;

Bytef* bytes(char* text) { return reinterpret_cast<Bytef*>(text); }
const Bytef* bytes(const char* text) { return reinterpret_cast<const Bytef*>(text); }

void end_unpacking(z_stream* stream) {
  inflateEnd(stream);
  delete stream;
}

/// zlib tells a wrong checksum from other damage by its message only.
std::string damage_text(const char* message) {
  const std::string_view cause = message == nullptr ? "unknown cause" : message;
  if (cause == "incorrect data check" || cause == "incorrect length check")
    return "has a wrong checksum, so any line may be wrong";
  return fmt::format("is damaged ({})", cause);
}

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipFormat, kMostMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, &deflateEnd);
  std::string packed;
  std::array<char, 1 << 16> buffer{};
  do {
    // zlib counts in 32 bits.
    const std::string_view piece = text.substr(0, std::size_t{1} << 30);
    text.remove_prefix(piece.size());
    stream.next_in = bytes(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = bytes(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
      packed.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!text.empty());
  return packed;
}

Gunzip::Gunzip(Source source) : source_(std::move(source)), stream_(new z_stream{}, &end_unpacking) {
  if (inflateInit2(stream_.get(), kGzipFormat) != Z_OK) throw std::bad_alloc();
}

std::size_t Gunzip::read(std::span<char> text) {
  stream_->next_out = bytes(text.data());
  stream_->avail_out = static_cast<uInt>(text.size());
  while (stream_->avail_out == text.size() && damage_.empty()) {
    if (stream_->avail_in == 0) {
      stream_->next_in = bytes(packed_.data());
      stream_->avail_in = static_cast<uInt>(source_(packed_));
    }
    if (stream_->avail_in == 0 && between_members_) break;
    unpack_once();
  }
  return text.size() - stream_->avail_out;
}

void Gunzip::unpack_once() {
  const bool is_end = stream_->avail_in == 0;
  const int result = inflate(stream_.get(), Z_NO_FLUSH);
  between_members_ = result == Z_STREAM_END;
  if (result == Z_STREAM_END) {
    inflateReset(stream_.get());
  } else if (result == Z_BUF_ERROR && is_end) {
    damage_ = "ends early";
  } else if (result == Z_MEM_ERROR) {
    throw std::bad_alloc();
  } else if (result != Z_OK && result != Z_BUF_ERROR) {
    damage_ = damage_text(stream_->msg);
  }
}

}  // namespace percycle

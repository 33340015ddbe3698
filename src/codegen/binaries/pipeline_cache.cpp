#include "codegen/binaries/pipeline_cache.hpp"

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "codegen/binaries/little_endian.hpp"

namespace percycle {
namespace {

constexpr std::string_view kFrame{"\x28\xB5\x2F\xFD", 4};
constexpr std::string_view kCode = "NVuc";
constexpr std::size_t kMostBytes = std::size_t{64} << 20u;
constexpr std::size_t kTable = 0x40;
constexpr std::size_t kMostEntries = 64;
constexpr std::uint64_t kCodeSection = 1;

/// The frame at the start of `bytes`, as far as it is readable.
std::string decompressed(std::string_view bytes) {
  ZSTD_DStream* const stream = ZSTD_createDStream();
  std::string result;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (std::size_t left = 1; left != 0 && result.size() < kMostBytes;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    left = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(left) != 0U) break;
    result.append(piece, 0, out.pos);
    if (out.pos == 0 && in.pos == in.size) break;  // truncated
  }
  ZSTD_freeDStream(stream);
  return result;
}

/// Whether a 16-byte instruction has the opcode of EXIT (as nvdisasm decodes it for every sm_70 to
/// sm_120).
bool has_exit(std::string_view code) {
  for (std::size_t at = 0; at + 16 <= code.size(); at += 16) {
    if ((*number_at(code, at, 8) & 0xfffu) == 0x94du) return true;
  }
  return false;
}

std::string_view section(std::string_view bytes, std::uint64_t offset, std::uint64_t size, unsigned capability_major) {
  const bool wide = capability_major >= 7;
  if (size == 0 || size % (wide ? 16 : 8) != 0 || offset < kTable || offset > bytes.size() || size > bytes.size() - offset)
    return {};
  const std::string_view code = bytes.substr(offset, size);
  return wide && !has_exit(code) ? std::string_view{} : code;
}

std::string_view code_behind(std::string_view letters, unsigned capability_major) {
  for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
    for (std::size_t i = 0; i < kMostEntries; ++i) {
      const std::size_t at = kTable + i * 3 * width;
      const auto type = number_at(letters, at, width);
      const auto first = number_at(letters, at + width, width);
      const auto second = number_at(letters, at + 2 * width, width);
      if (!type || !first || !second) break;
      if (*type != kCodeSection) continue;
      for (const auto& [size, offset] : {std::pair(*first, *second), std::pair(*second, *first)}) {
        const std::string_view code = section(letters, offset, size, capability_major);
        if (!code.empty()) return code;
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> decompressed_frames(std::string_view cache) {
  std::vector<std::string> frames;
  for (std::size_t at = cache.find(kFrame); at != std::string_view::npos; at = cache.find(kFrame, at + 1)) {
    std::string frame = decompressed(cache.substr(at));
    if (!frame.empty()) frames.push_back(std::move(frame));
  }
  return frames;
}

std::string machine_code_of(std::string_view frame, unsigned capability_major) {
  for (std::size_t at = frame.find(kCode); at != std::string_view::npos; at = frame.find(kCode, at + 1)) {
    const std::string_view code = code_behind(frame.substr(at), capability_major);
    if (!code.empty()) return std::string(code);
  }
  return {};
}

}  // namespace percycle

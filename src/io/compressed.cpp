// In: gzip or zstd bytes. Out: the unpacked bytes in memory, or a sentence about the damage.
#include "io/compressed.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/error.h"

namespace evenkeel::io {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

[[noreturn]] void fail_cut(const std::string& path, const char* kind) {
  fail_data("{}: the {} stream ends too early; the file is cut, copy or download it again", path,
            kind);
}

[[noreturn]] void fail_damaged(const std::string& path, const char* kind, const char* why) {
  fail_data("{}: damaged {} stream ({}); copy or download it again", path, kind, why);
}

// The output grows by doubling, and each new block passes `inspect` before the next one.
class Output {
 public:
  explicit Output(FunctionRef<void(std::string_view)> inspect) : inspect_(inspect) {}
  char* room() {
    if (bytes_.size() < used_ + kBlock) bytes_.resize(std::max(bytes_.size() * 2, used_ + kBlock));
    return bytes_.data() + used_;
  }
  void keep(std::size_t count) {
    inspect_(std::string_view(bytes_).substr(used_, count));
    used_ += count;
  }
  std::string take() {
    bytes_.resize(used_);
    return std::move(bytes_);
  }

 private:
  FunctionRef<void(std::string_view)> inspect_;
  std::string bytes_;
  std::size_t used_ = 0;
};

class Inflater {
 public:
  Inflater() {
    // 16: gzip wrapper only.
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) fail_run("out of memory for zlib");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

// gzip files may hold several members back to back; zeros after the last one are padding.
bool another_member(std::string_view rest) {
  return detect_compression(rest) == Compression::kGzip;
}

std::string gunzip(std::string_view bytes, const std::string& path, Output output) {
  Inflater inflater;
  z_stream& stream = inflater.stream();
  std::size_t fed = 0;
  for (;;) {
    if (stream.avail_in == 0 && fed < bytes.size()) {
      const std::size_t feed =
          std::min<std::size_t>(bytes.size() - fed, std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + fed));
      stream.avail_in = static_cast<uInt>(feed);
      fed += feed;
    }
    stream.next_out = reinterpret_cast<Bytef*>(output.room());
    stream.avail_out = kBlock;
    const int status = inflate(&stream, Z_NO_FLUSH);
    output.keep(kBlock - stream.avail_out);
    if (status == Z_STREAM_END) {
      if (!another_member(bytes.substr(fed - stream.avail_in))) return output.take();
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_out == kBlock)) {
      if (stream.avail_in == 0 && fed == bytes.size()) fail_cut(path, "gzip");
    } else if (status != Z_OK) {
      fail_damaged(path, "gzip", stream.msg != nullptr ? stream.msg : "unknown reason");
    }
  }
}

std::string unzstd(std::string_view bytes, const std::string& path, Output output) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  if (stream == nullptr) fail_run("out of memory for zstd");
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{output.room(), kBlock, 0};
    const std::size_t hint = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(hint) != 0) fail_damaged(path, "zstd", ZSTD_getErrorName(hint));
    output.keep(out.pos);
    if (hint == 0 && in.pos == in.size) return output.take();  // a frame is complete and flushed
    if (in.pos == in.size && out.pos < kBlock) fail_cut(path, "zstd");
  }
}

}  // namespace

Compression detect_compression(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Compression::kGzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return Compression::kZstd;
  return Compression::kNone;
}

std::string decompress(std::string_view bytes, const std::string& path,
                       FunctionRef<void(std::string_view)> inspect) {
  switch (detect_compression(bytes)) {
    case Compression::kGzip:
      return gunzip(bytes, path, Output(inspect));
    case Compression::kZstd:
      return unzstd(bytes, path, Output(inspect));
    case Compression::kNone:
      break;
  }
  inspect(bytes);
  return std::string(bytes);
}

std::string decompress(std::string_view bytes, const std::string& path) {
  const auto ignore = [](std::string_view) {};
  return decompress(bytes, path, ignore);
}

}  // namespace evenkeel::io

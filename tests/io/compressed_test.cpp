// Compressed streams. In: gzip and zstd bytes, whole, cut and damaged; out: text or a sentence.
#include "io/compressed.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"

namespace evenkeel::io {
namespace {

std::string sample() {
  std::string text;
  for (unsigned n = 0; n < 400000; ++n)
    text += "user" + std::to_string(n % 977) + "\t" + std::to_string(n * 7919 % 10007) + "\n";
  return text;  // over two blocks of the unpacker
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string failure(const std::string& bytes) {
  try {
    decompress(bytes, "log.csv.gz");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(Compressed, KnowsFormatsByTheirFirstBytes) {
  EXPECT_EQ(detect_compression(gzipped("x")), Compression::kGzip);
  EXPECT_EQ(detect_compression(zstandard("x")), Compression::kZstd);
  EXPECT_EQ(detect_compression("user,item"), Compression::kNone);
  EXPECT_EQ(detect_compression(""), Compression::kNone);
}

TEST(Compressed, UnpacksWhatWasPacked) {
  const std::string text = sample();
  ASSERT_GT(text.size(), 3u << 20);
  EXPECT_EQ(decompress(gzipped(text), "f"), text);
  EXPECT_EQ(decompress(zstandard(text), "f"), text);
  EXPECT_EQ(decompress(gzipped(""), "f"), "");
  EXPECT_EQ(decompress(zstandard(""), "f"), "");
  EXPECT_EQ(decompress("plain", "f"), "plain");
}

TEST(Compressed, JoinsMembersAndFrames) {
  EXPECT_EQ(decompress(gzipped("one\n") + gzipped("two\n"), "f"), "one\ntwo\n");
  EXPECT_EQ(decompress(zstandard("one\n") + zstandard("two\n"), "f"), "one\ntwo\n");
  EXPECT_EQ(decompress(gzipped("one\n") + std::string(512, '\0'), "f"), "one\n");
}

TEST(Compressed, ExactBlocksAreNotTakenForCutFiles) {
  const std::string text(std::size_t{2} << 20, 'a');
  EXPECT_EQ(decompress(gzipped(text), "f"), text);
  EXPECT_EQ(decompress(zstandard(text), "f"), text);
}

TEST(Compressed, EveryCutIsAnError) {
  const std::string gzip = gzipped("some text that is long enough to cut");
  for (std::size_t size = 2; size < gzip.size(); ++size) {
    EXPECT_NE(failure(gzip.substr(0, size)).find("ends too early"), std::string::npos) << size;
  }
  const std::string zstd = zstandard("some text that is long enough to cut");
  for (std::size_t size = 4; size < zstd.size(); ++size) {
    EXPECT_NE(failure(zstd.substr(0, size)).find("ends too early"), std::string::npos) << size;
  }
}

TEST(Compressed, DamageIsAnError) {
  std::string gzip = gzipped(sample());
  gzip[gzip.size() / 2] = static_cast<char>(gzip[gzip.size() / 2] ^ 0x55);
  EXPECT_NE(failure(gzip).find("log.csv.gz"), std::string::npos);
  std::string zstd = zstandard(sample());
  for (std::size_t n = 20; n < 40; ++n) zstd[n] = static_cast<char>(0xff);
  EXPECT_NE(failure(zstd).find("damaged zstd"), std::string::npos);
}

TEST(Compressed, InspectMayStopEarly) {
  const std::string packed = gzipped(std::string(std::size_t{8} << 20, 'a'));
  std::size_t seen = 0;
  const auto stop = [&](std::string_view block) {
    seen += block.size();
    if (seen > (2u << 20)) fail_data("enough");
  };
  EXPECT_THROW(decompress(packed, "f", stop), Error);
  EXPECT_LT(seen, 4u << 20);
}

}  // namespace
}  // namespace evenkeel::io

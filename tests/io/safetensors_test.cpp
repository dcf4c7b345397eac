// In: arrays, and files damaged in every way. Out: the same arrays back, or a data error: never
// more.
#include "io/safetensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/rng.h"
#include "io/atomic_file.h"

namespace evenkeel::io {
namespace {

namespace fs = std::filesystem;

class SafetensorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::temp_directory_path() /
             ("evenkeel_st_" + std::to_string(::getpid()) + "_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
    table_ = Matrix(3, 5);
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 5; ++c) {
        table_.row(r)[c] = static_cast<float>(r) * 10 + static_cast<float>(c) + 0.25F;
      }
    }
  }
  void TearDown() override { fs::remove(path_); }

  std::string small_file() {
    const std::vector<std::uint64_t> wide{1, 1ULL << 60};
    SafetensorsWriter writer;
    writer.add("bytes", std::string_view("abc"));
    writer.add("table", table_);
    writer.add("wide", wide);
    writer.metadata("score", "dot");
    writer.write(path_);
    std::ifstream in(path_, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void put(std::string_view bytes) {
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void put_header(const std::string& header, std::size_t data_bytes) {
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    put(bytes + header + std::string(data_bytes, 'd'));
  }
  std::string open_error() {
    try {
      SafetensorsFile::open(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      EXPECT_NE(std::string(error.what()).find(path_), std::string::npos);
      return error.what();
    }
    return "";
  }
  // Everything a reader may do with a file; a data error is the only other way out.
  bool survives() {
    try {
      const SafetensorsFile file = SafetensorsFile::open(path_);
      for (const std::string& name : file.names()) {
        static_cast<void>(file.shape(name));
        try {
          static_cast<void>(file.matrix(name));
        } catch (const Error&) {
        }
        try {
          static_cast<void>(file.vector<std::uint64_t>(name));
        } catch (const Error&) {
        }
        try {
          static_cast<void>(file.bytes(name));
        } catch (const Error&) {
        }
      }
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kData;
    }
    return true;
  }
  std::string path_;
  Matrix table_;
};

TEST_F(SafetensorsTest, AllTypesComeBack) {
  const std::vector<float> f32{1.5F, -2};
  const std::vector<double> f64{0.1, 1e300};
  const std::vector<std::int32_t> i32{-1, 7};
  const std::vector<std::int64_t> i64{-(1LL << 40)};
  const std::vector<std::uint8_t> u8{0, 255, 3};
  const std::vector<std::uint32_t> u32{4'000'000'000U};
  const std::vector<std::uint64_t> u64;
  SafetensorsWriter writer;
  writer.add("u8", u8);
  writer.add("f32", f32);
  writer.add("f64", f64);
  writer.add("i32", i32);
  writer.add("i64", i64);
  writer.add("u32", u32);
  writer.add("u64", u64);
  writer.add("table", table_);
  writer.metadata("note", "größe \"x\"\n");
  writer.write(path_);

  const SafetensorsFile file = SafetensorsFile::open(path_);
  EXPECT_EQ(file.vector<float>("f32"), f32);
  EXPECT_EQ(file.vector<double>("f64"), f64);
  EXPECT_EQ(file.vector<std::int32_t>("i32"), i32);
  EXPECT_EQ(file.vector<std::int64_t>("i64"), i64);
  EXPECT_EQ(file.vector<std::uint8_t>("u8"), u8);
  EXPECT_EQ(file.vector<std::uint32_t>("u32"), u32);
  EXPECT_EQ(file.vector<std::uint64_t>("u64"), u64);
  EXPECT_EQ(file.metadata().at("note"), "größe \"x\"\n");
  const Matrix back = file.matrix("table");
  ASSERT_EQ(back.rows(), 3U);
  ASSERT_EQ(back.dim(), 5U);
  ASSERT_EQ(back.size(), table_.size());
  EXPECT_EQ(std::memcmp(back.data(), table_.data(), table_.size() * sizeof(float)), 0);
  EXPECT_TRUE(file.has("table"));
  EXPECT_FALSE(file.has("nothing"));
}

TEST_F(SafetensorsTest, RowsThatAreFetchedMakeTheSameFile) {
  const std::string whole = path_ + ".whole";
  SafetensorsWriter writer;
  writer.add("table", table_);
  writer.write(whole);
  SafetensorsWriter fetching;
  std::vector<std::size_t> asked;
  fetching.add("table", {.rows = table_.rows(),
                         .dim = table_.dim(),
                         .stride = table_.stride(),
                         .at_once = 2,
                         .fetch = [&](std::size_t first, std::size_t count) {
                           asked.insert(asked.end(), {first, count});
                           return table_.row(first);
                         }});
  fetching.write(path_);
  EXPECT_EQ(asked, (std::vector<std::size_t>{0, 2, 2, 1}));
  const auto text = [](const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  };
  EXPECT_EQ(text(path_), text(whole));
  std::remove(whole.c_str());

  const Matrix part = SafetensorsFile::open(path_).matrix("table", {1, 2});
  EXPECT_EQ(part.rows(), 3U);
  EXPECT_EQ(part.held(), (RowRange{1, 2}));
  EXPECT_EQ(std::memcmp(part.row(1), table_.row(1), table_.stride() * sizeof(float)), 0);
  EXPECT_EQ(part.row(0)[0], 0.0F);
}

// The layout by hand, as any other reader of the format sees it.
TEST_F(SafetensorsTest, LayoutFollowsTheFormat) {
  const std::string bytes = small_file();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  EXPECT_EQ(bytes[8], '{');
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  EXPECT_EQ(header["__metadata__"]["score"], "dot");
  EXPECT_EQ(header["table"]["dtype"], "F32");
  EXPECT_EQ(header["table"]["shape"], nlohmann::json({3, 5}));
  const std::uint64_t begin = header["table"]["data_offsets"][0];
  const std::uint64_t end = header["table"]["data_offsets"][1];
  EXPECT_EQ(end - begin, 3U * 5 * 4);
  float value = 0;
  std::memcpy(&value, bytes.data() + 8 + length + begin + (2 * 5 + 3) * 4, 4);
  EXPECT_EQ(value, 23.25F);
  EXPECT_EQ(header["wide"]["data_offsets"][0], 0) << "the widest type comes first: aligned";
  const std::uint64_t last = header["bytes"]["data_offsets"][1];
  EXPECT_EQ(8 + length + last, bytes.size());
}

TEST_F(SafetensorsTest, EveryTruncationIsAnError) {
  const std::string bytes = small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    put(std::string_view(bytes).substr(0, size));
    EXPECT_NE(open_error(), "") << "cut to " << size;
  }
  put(bytes + "x");
  EXPECT_NE(open_error(), "") << "one byte too many";
}

TEST_F(SafetensorsTest, RandomDamageNeverCrashes) {
  const std::string bytes = small_file();
  const Random random(5, Purpose::kMarket);
  for (std::uint32_t round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    Draws draws(random, round);
    for (std::uint32_t flips = 1 + draws.below(4); flips > 0; --flips) {
      damaged[draws.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<char>(draws.below(256));
    }
    put(damaged);
    EXPECT_TRUE(survives()) << "round " << round;
  }
}

TEST_F(SafetensorsTest, HostileHeaders) {
  const auto entry = [](const std::string& shape, const std::string& offsets) {
    return R"({"t":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"not json", "not JSON"},
      {"[1,2]", "not a JSON object"},
      {R"({"t":5})", "not an object"},
      {R"({"t":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", "unknown type"},
      {R"({"t":{"shape":[2],"data_offsets":[0,8]}})", "unknown type"},
      {R"({"__metadata__":{"a":1}})", "not text"},
      {entry("[2]", "[0,9]"), "outside"},
      {entry("[2]", "[8,0]"), "outside"},
      {entry("[2]", "[0]"), "outside"},
      {entry("[-2]", "[0,8]"), "whole numbers"},
      {entry("[2.0]", "[0,8]"), "whole numbers"},
      {entry("[3]", "[0,8]"), "does not match"},
      {entry("[4611686018427387906]", "[0,8]"), "does not match"},
      {entry("[4294967296,4294967296,2]", "[0,8]"), "does not match"},
      {entry("[1]", "[0,4]"), "names 4"},
      {entry("[1]", "[4,8]"), "hole"},
      {entry("[[2]]", "[0,8]"), "deep"},
      {R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
       R"("t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       "twice"},
      {R"({"t":{"dtype":"F32","dtype":"F64","shape":[2],"data_offsets":[0,8]}})", "twice"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
       R"("t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "overlap"},
  };
  for (const auto& [header, message] : cases) {
    put_header(header, 8);
    EXPECT_NE(open_error().find(message), std::string::npos) << header << "\n" << open_error();
  }
  put_header(std::string(200'000, '['), 8);
  EXPECT_NE(open_error(), "");
  put("\xff\xff\xff\xff\xff\xff\xff\xff{}");
  EXPECT_NE(open_error().find("does not fit"), std::string::npos);
}

TEST_F(SafetensorsTest, TheNumberOfArraysIsLimited) {
  const auto header_of = [](std::size_t arrays) {
    std::string header = R"({"__metadata__":{"a":"b"})";
    for (std::size_t k = 0; k < arrays; ++k) {
      header +=
          ",\"t" + std::to_string(k) + R"(":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]})";
    }
    return header + "}";
  };
  put_header(header_of(4096), 0);
  EXPECT_EQ(SafetensorsFile::open(path_).names().size(), 4096U);
  put_header(header_of(200'000), 0);  // the square of it would take minutes
  EXPECT_NE(open_error().find("names more than 4096 arrays"), std::string::npos) << open_error();
}

TEST_F(SafetensorsTest, ManyNotesTakeNoQuadraticTime) {
  std::string header = R"({"__metadata__":{)";
  for (int k = 0; k < 100'000; ++k) header += "\"n" + std::to_string(k) + "\":\"\",";
  put_header(header + R"("last":""}})", 0);
  EXPECT_EQ(SafetensorsFile::open(path_).metadata().size(), 100'001U);
}

TEST_F(SafetensorsTest, RowsWithoutValuesAskForNoMemory) {
  put_header(R"({"t":{"dtype":"F32","shape":[1152921504606846976,0],"data_offsets":[0,0]}})", 0);
  EXPECT_THROW(SafetensorsFile::open(path_).matrix("t"), Error);
}

TEST_F(SafetensorsTest, WrongNameTypeOrShapeIsNamed) {
  small_file();
  const SafetensorsFile file = SafetensorsFile::open(path_);
  EXPECT_THROW(static_cast<void>(file.matrix("none")), Error);
  EXPECT_THROW(static_cast<void>(file.matrix("wide")), Error);
  EXPECT_THROW(static_cast<void>(file.vector<double>("wide")), Error);
  EXPECT_THROW(static_cast<void>(file.vector<float>("table")), Error);
}

TEST_F(SafetensorsTest, MissingFileAndFolder) {
  EXPECT_NE(open_error().find("No such file"), std::string::npos);
  EXPECT_THROW(SafetensorsFile::open(fs::temp_directory_path().string()), Error);
}

}  // namespace
}  // namespace evenkeel::io

// In: wrong words and wrong files. Out: one clear sentence, the documented exit code, no traces.
#include <gtest/gtest.h>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

TEST(Usage, HelpAndVersionAreFine) {
  const Finished help = run_binary({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"demo", "synth", "stats", "split", "train", "evaluate", "recommend",
                              "similar", "export", "analyze", "report", "list"}) {
    EXPECT_TRUE(contains(help.out, command)) << command;
    const Finished one = run_binary({command, "--help"});
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_TRUE(contains(one.out, "--help"));
  }
  const Finished train = run_binary({"train", "--help"});
  for (const char* option : {"--tau", "--dim", "--negatives", "--config", "--resume", "--seed"}) {
    EXPECT_TRUE(contains(train.out, option)) << option;
  }
  const Finished version = run_binary({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("evenkeel ", 0), 0U) << version.out;
}

TEST(Usage, UnknownWordsNameTheNearest) {
  expect_error(run_binary({}), 2, {"no command"});
  expect_error(run_binary({"trian", "x"}), 2, {"command 'trian'", "'train'"});
  expect_error(run_binary({"--verson"}), 2, {"'--verson'", "'--version'"});
  expect_error(run_binary({"train", "x", "--out", "y", "--negativs", "3"}), 2,
               {"'--negativs'", "'--negatives'"});
  expect_error(run_binary({"train", "x", "--oot", "y"}), 2, {"'--oot'", "'--out'"});
  expect_error(run_binary({"train", "x"}), 2, {"--out"});
  expect_error(run_binary({"train", "x", "--out"}), 2, {"--out"});
  expect_error(run_binary({"stats"}), 2, {"data", "evenkeel stats --help"});
  expect_error(run_binary({"stats", "a", "b"}), 2, {"b"});
  const Finished bare = run_binary({"recommend", "x", "--user"});
  expect_error(bare, 2, {"--user has no value; give --user ID"});
  EXPECT_FALSE(contains(bare.err, "1 required")) << bare.err;
}

TEST(Usage, WrongValuesNameOptionValueAndRange) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(20, 12, 6));
  const auto train = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"train", folder / "log.csv", "--out", folder / "run"};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  };
  expect_error(train({"--loss", "sofmax"}), 2, {"sofmax", "'softmax'"});
  expect_error(train({"--encoder", "fm"}), 2, {"fm", "'mf'"});
  expect_error(train({"--tau", "0"}), 2, {"--tau is 0"});
  expect_error(train({"--tau", "nan"}), 2, {"--tau"});
  expect_error(train({"--dim", "0"}), 2, {"--dim is 0"});
  expect_error(train({"--dim", "-8"}), 2, {"--dim is -8"});
  expect_error(train({"--lr", "fast"}), 2, {"--lr", "fast"});
  expect_error(train({"--seed", "18446744073709551615"}), 2,
               {"--seed is 18446744073709551615", "from 0 to 9223372036854775807"});
  expect_error(train({"--negatives", "many"}), 2, {"--negatives", "many"});
  expect_error(train({"--config", folder / "none.toml"}), 2, {"none.toml"});
  write_text(folder / "bad.toml", "tau = 0.1\nlos = \"bc\"\n");
  expect_error(train({"--config", folder / "bad.toml"}), 2, {"bad.toml:2", "'loss'"});
  EXPECT_FALSE(fs::exists(folder / "run")) << "nothing may be left of a refused run";
}

// "$TOKENS" where TOKENS is not set: the option was as good as not given.
TEST(Usage, EmptyNamesAreRefused) {
  TempFolder folder;
  const std::string log = folder / "log.csv", run = folder / "run";
  write_text(log, tiny_log(20, 12, 6));
  ASSERT_EQ(run_binary({"train", log, "--out", run, "--epochs", "1", "--dim", "4"}).exit_code, 0);
  expect_error(run_binary({"serve", run, "--port", "0", "--token-file", ""}), 2,
               {"--token-file is empty; give FILE, or leave it out"});
  for (const char* option : {"--only", "--exclude", "--seen", "--titles", "--log-file"}) {
    expect_error(run_binary({"recommend", run, "--user", "u1", option, ""}), 2,
                 {std::string(option) + " is empty"});
  }
  expect_error(run_binary({"evaluate", run, "--test", ""}), 2, {"--test is empty"});
  expect_error(run_binary({"evaluate", run, ""}), 2, {"RUN [DATA] is empty"});
  expect_error(run_binary({"train", log, "--config", "", "--out", folder / "other"}), 2,
               {"--config is empty"});
  expect_error(run_binary({"split", log, "--out", ""}), 2, {"--out is empty; give DIR"});
  expect_error(run_binary({"export", run, "--out", ""}), 2, {"--out is empty; give PATH"});
  expect_error(run_binary({"recommend", "", "--user", "u1"}), 2, {"RUN is empty; give RUN"});
  EXPECT_FALSE(fs::exists(folder / "other"));
}

TEST(Usage, NegativeKIsRefused) {
  for (const char* command : {"evaluate", "recommend", "similar"}) {
    const Finished finished = run_binary({command, "nowhere", "--k", "-1"});
    EXPECT_EQ(finished.exit_code, 2) << command << ": " << finished.err;
  }
  expect_error(run_binary({"evaluate", "nowhere", "--k", "0"}), 2, {"--k is 0"});
  expect_error(run_binary({"recommend", "nowhere", "--user", "a", "--k", "-1"}), 2, {"--k is -1"});
  expect_error(run_binary({"recommend", "nowhere"}), 2, {"--user"});
}

TEST(BadData, EachFileGetsItsSentence) {
  TempFolder folder;
  const auto stats = [&](const std::string& name, const std::string& text,
                         std::vector<std::string> more = {}) {
    write_text(folder / name, text);
    more.insert(more.begin(), {"stats", folder / name});
    return run_binary(more);
  };
  expect_error(run_binary({"stats", folder / "missing.csv"}), 3, {"missing.csv"});
  expect_error(stats("empty.csv", ""), 3, {"empty.csv"});
  expect_error(stats("column.csv", "user,item\na,x\nb\n"), 3, {"column.csv:3"});
  expect_error(stats("named.csv", "user,item\na,x\n", {"--item-column", "product"}), 3,
               {"product"});
  expect_error(stats("rating.csv", "user,item,rating\na,x,good\n", {"--min-rating", "3"}), 3,
               {"rating.csv:2", "good"});
  expect_error(stats("nan.csv", "user,item,rating\na,x,nan\n", {"--min-rating", "3"}), 3,
               {"nan.csv:2", "nan"});
  expect_error(stats("junk.csv", std::string("\x7f\0ELF\1\0\0\xff\xfe", 10)), 3, {"junk.csv"});
}

TEST(BadData, OddIdsSurvive) {
  TempFolder folder;
  write_text(folder / "odd.csv",
             "user,item\n\"Smith, J.\",\"a \"\"b\"\"\"\n\xC3\x84nne,\xE2\x98\x83\n");
  const Finished finished = run_binary({"stats", folder / "odd.csv", "--json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
}

TEST(BadData, FoldersThatCannotBeWritten) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(20, 12, 6));
  write_text(folder / "file", "in the way");
  // A file in the way stops root too, whom permissions would not.
  expect_error(
      run_binary({"train", folder / "log.csv", "--out", folder / "file/run", "--epochs", "1"}), 1,
      {"file/run"});
  expect_error(run_binary({"split", folder / "log.csv", "--protocol", "random", "--k-core", "0",
                           "--out", folder / "file/run"}),
               1, {"file/run"});
  expect_error(run_binary({"synth", "--out", folder / "file/run", "--users", "50", "--items", "50",
                           "--interactions", "100"}),
               1, {"file/run"});
}

TEST(BadModel, MissingOrDamagedFilesAreDataErrors) {
  TempFolder folder;
  expect_error(run_binary({"recommend", folder / "none", "--user", "a"}), 3, {"none"});
  fs::create_directory(folder / "run");
  expect_error(run_binary({"recommend", folder / "run", "--user", "a"}), 3, {"model.safetensors"});
  write_text(folder / "run/model.safetensors", "");
  expect_error(run_binary({"recommend", folder / "run", "--user", "a"}), 3, {"model.safetensors"});
  write_text(folder / "run/model.safetensors",
             std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  expect_error(run_binary({"recommend", folder / "run", "--user", "a"}), 3, {"model.safetensors"});
  expect_error(run_binary({"similar", folder / "run", "--item", "a"}), 3, {"model.safetensors"});
  expect_error(run_binary({"export", folder / "run", "--format", "npy", "--out", folder / "x"}), 3,
               {"model.safetensors"});
  EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST(BadModel, AnUnfinishedRunNamesTheWayOn) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(40, 24, 8));
  const std::string run = folder / "run";
  ASSERT_EQ(run_binary({"train", folder / "log.csv", "--out", run, "--epochs", "1", "--dim", "8"})
                .exit_code,
            0);
  const Finished data = run_binary({"stats", run});
  expect_error(data, 3, {"this is a run folder, not data"});
  fs::remove(run + "/result.json");
  fs::remove(run + "/model.safetensors");
  for (const char* command : {"serve", "analyze"}) {
    expect_error(run_binary({command, run}), 3, {"evenkeel train --resume --out " + run});
  }
  expect_error(run_binary({"extend", run, folder / "log.csv", "--out", folder / "more"}), 3,
               {"evenkeel train --resume --out " + run});
}

TEST(BadModel, WhatHasNoPartsIsNamed) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(40, 24, 8));
  const std::string run = folder / "whole";
  const Finished trained = run_binary({"train", folder / "log.csv", "--out", run, "--epochs", "1",
                                       "--dim", "8", "--split", "none"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(trained.out, "") << "no header without a row";
  EXPECT_TRUE(contains(trained.err, "evenkeel: 1 epoch in")) << trained.err;
  expect_error(run_binary({"evaluate", run}), 3, {run + ": the model holds no"});
}

TEST(Output, ExportsMakeTheirFolderAsReportsDo) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(40, 24, 8));
  ASSERT_EQ(run_binary({"train", folder / "log.csv", "--out", folder / "run", "--epochs", "1",
                        "--dim", "8", "--quiet"})
                .exit_code,
            0);
  for (const char* format : {"npz", "word2vec"}) {
    const std::string file = folder / (std::string(format) + "/deep/vectors");
    const Finished done = run_binary({"export", folder / "run", "--format", format, "--out", file});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(fs::exists(file));
  }
}

TEST(Output, AFullDiskAndALeavingReaderAreNoticed) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  Running full({"list"}, "/dev/full");
  const Finished finished = full.wait();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_TRUE(contains(finished.err, "standard output")) << finished.err;
  const std::string closed = "bash -c 'set -o pipefail; " + program_path() + " list | true'";
  EXPECT_EQ(std::system(closed.c_str()), 0);
}

}  // namespace
}  // namespace evenkeel::testing

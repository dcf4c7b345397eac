// Runs the built program as a user would. In: its words; out: exit code, stdout and stderr.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "places.h"

extern char** environ;

namespace evenkeel::testing {

namespace fs = std::filesystem;

// A new empty folder that goes away with the object.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::path(::testing::TempDir()) / "evenkeel_cli_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Every file of a folder with its bytes.
inline std::map<std::string, std::string> bytes_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().string()] = read_text(entry.path().string());
  }
  return files;
}

struct Finished {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out, err;
};

// A started program: evenkeel, or the one that a path in front of the words names. It is killed if
// nobody waits for it.
class Running {
 public:
  explicit Running(std::vector<std::string> words, const std::string& stdout_path = "",
                   const std::string& stdin_path = "/dev/null") {
    const std::string out = stdout_path.empty() ? folder_ / "out" : stdout_path;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, stdin_path.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, (folder_ / "err").c_str(), O_WRONLY | O_CREAT,
                                     0600);
    if (words.empty() || !words[0].starts_with('/')) words.insert(words.begin(), program_path());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int failure = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("cannot start " + words[0]);
  }
  ~Running() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const { kill(pid_, signal); }

  bool ended() {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == pid_;
  }

  // True once `condition` holds; false when the program ends first or three minutes pass.
  template <typename Condition>
  bool wait_until(Condition condition) {
    for (int i = 0; i < 90000; ++i) {
      if (condition()) return true;
      if (ended()) return condition();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  std::string err() const { return read_text(folder_ / "err"); }  // so far

  Finished wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    Finished finished{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                      read_text(folder_ / "out"), read_text(folder_ / "err")};
    return finished;
  }

 private:
  TempFolder folder_;
  pid_t pid_ = -1;
};

inline Finished run_binary(std::vector<std::string> words) {
  return Running(std::move(words)).wait();
}

inline Finished run_with_input(std::vector<std::string> words, const std::string& stdin_path) {
  return Running(std::move(words), "", stdin_path).wait();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One sentence on stderr, the exit code, nothing on stdout.
inline void expect_error(const Finished& finished, int exit_code,
                         const std::vector<std::string>& parts) {
  EXPECT_EQ(finished.exit_code, exit_code) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_TRUE(contains(finished.err, "evenkeel: error: ")) << finished.err;
  EXPECT_FALSE(contains(finished.err, "internal error")) << finished.err;
  for (const std::string& part : parts) {
    EXPECT_TRUE(contains(finished.err, part)) << "wanted '" << part << "' in: " << finished.err;
  }
}

}  // namespace evenkeel::testing

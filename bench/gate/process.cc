// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace dimorder::bench::gate {
namespace {

using Clock = std::chrono::steady_clock;

std::runtime_error SystemError(const std::string& what, int error) {
  return std::runtime_error(what + ": " + std::strerror(error));
}

// A child whose stdout is read here. Killed, if need be, when this goes.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw SystemError("pipe", errno);
    read_end_ = ends[0];
    std::vector<char*> argv{const_cast<char*>("dimorder-gate")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error = posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error == 0) return;
    close(read_end_);
    throw SystemError("cannot start a worker", error);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close(read_end_);
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    Wait();
  }

  // All it writes until it closes its stdout.
  std::string ReadAll(Clock::time_point end) {
    std::string text;
    std::array<char, 1 << 16> buffer;
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd ready{read_end_, POLLIN, 0};
      const int count = poll(&ready, 1, static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30)));
      if (count == 0) throw std::runtime_error("a worker did not end in time");
      const ssize_t bytes = count < 0 ? -1 : read(read_end_, buffer.data(), buffer.size());
      if (bytes == 0) return text;
      if (bytes > 0) text.append(buffer.data(), static_cast<size_t>(bytes));
      if (bytes < 0 && errno != EINTR) throw SystemError("cannot read from a worker", errno);
    }
  }

  // Its wait status.
  int Wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_ = 0;
  int read_end_ = -1;
};

}  // namespace

std::vector<std::string> RunSelf(const std::vector<std::string>& arguments, double seconds) {
  Child child(arguments);
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::istringstream text(child.ReadAll(Clock::now() + limit));
  const int status = child.Wait();
  if (WIFSIGNALED(status)) {
    throw std::runtime_error("a worker was ended by signal " + std::to_string(WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) throw std::runtime_error("a worker failed");
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace dimorder::bench::gate

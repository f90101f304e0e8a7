// SPDX-License-Identifier: Apache-2.0
#include "tests/fault.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace dimorder::test {
namespace {

// Per thread: the handler runs on the thread that faulted.
thread_local char g_note[2048];

void Report(int signal) {
  static constexpr char kPrefix[] = "\nmismatch: fault in ";
  bool written = write(STDERR_FILENO, kPrefix, sizeof(kPrefix) - 1) > 0;
  written = write(STDERR_FILENO, g_note, std::strlen(g_note)) > 0 && written;
  written = write(STDERR_FILENO, "\n", 1) > 0 && written;
  std::signal(signal, SIG_DFL);
  std::raise(written ? signal : SIGABRT);
}

}  // namespace

void InstallFaultHandler() {
  std::signal(SIGSEGV, &Report);
  std::signal(SIGBUS, &Report);
}

void NoteForFault(const std::string& text) {
  const size_t length = std::min(text.size(), sizeof(g_note) - 1);
  std::memcpy(g_note, text.data(), length);
  g_note[length] = '\0';
}

}  // namespace dimorder::test

// SPDX-License-Identifier: Apache-2.0
//
// Sizes of the data caches, from Linux's description of the first core, else from sysconf, else nominal ones.
#include "dispatch/machine.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dispatch/text.h"

#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace dimorder {
inline namespace v1 {
namespace {

constexpr Caches kNominal = {32 << 10, 512 << 10, 8 << 20};

// The larger of what is known and `bytes`, at a cache level of 1 or more: 0 means unknown.
[[maybe_unused]] void Note(int64_t level, int64_t bytes, Caches* caches) {
  int64_t& size = level == 1 ? caches->l1 : level == 2 ? caches->l2 : caches->last;
  if (bytes > size) size = bytes;
}

#if defined(__linux__)

// A file of one short line, without its end; empty when it cannot be read.
class Line {
 public:
  Line(int index, std::string_view name) {
    char path[80];
    TextWriter writer(path, sizeof(path));
    writer.Add("/sys/devices/system/cpu/cpu0/cache/index").Add(int64_t{index}).Add("/").Add(name).Finish();
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t bytes = read(file, text_, sizeof(text_));
    close(file);
    length_ = bytes > 0 ? static_cast<size_t>(bytes) : 0;
    if (length_ != 0 && text_[length_ - 1] == '\n') --length_;
  }

  std::string_view text() const { return {text_, length_}; }

  // The number with its unit, as in "512K".
  int64_t Number() const {
    int64_t number = 0;
    for (const char c : text()) {
      if (c >= '0' && c <= '9') {
        number = number * 10 + (c - '0');
      } else {
        return c == 'K' ? number << 10 : c == 'M' ? number << 20 : number;
      }
    }
    return number;
  }

 private:
  char text_[16];
  size_t length_ = 0;
};

void AskKernel(Caches* caches) {
  constexpr int kMaxIndex = 16;
  for (int index = 0; index < kMaxIndex; ++index) {
    const int64_t level = Line(index, "level").Number();
    if (level == 0) return;
    if (Line(index, "type").text() != "Instruction") Note(level, Line(index, "size").Number(), caches);
  }
}

#else

void AskKernel(Caches*) {}

#endif

void AskLibrary([[maybe_unused]] Caches* caches) {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  if (caches->l1 == 0) Note(1, sysconf(_SC_LEVEL1_DCACHE_SIZE), caches);
  if (caches->l2 == 0) Note(2, sysconf(_SC_LEVEL2_CACHE_SIZE), caches);
  if (caches->last == 0) Note(3, sysconf(_SC_LEVEL3_CACHE_SIZE), caches);
#endif
}

// More than AMD's cores share is the sum of a socket's last levels (CPUID 8000'0006h), which is all that glibc 2.36
// knows, and all that Linux does where a virtual machine hides the leaves that describe each: 508 MB on a Zen 5. Most
// servers' cores share 32 MB from Zen 3 on.
void TakeShareOfSum([[maybe_unused]] Caches* caches) {
#if defined(__x86_64__) || defined(__i386__)
  constexpr int64_t kMostShared = int64_t{96} << 20;
  if (caches->last > kMostShared && __builtin_cpu_is("amd")) caches->last = int64_t{32} << 20;
#endif
}

}  // namespace

Caches AskCaches() noexcept {
  Caches caches = {0, 0, 0};
  AskKernel(&caches);
  AskLibrary(&caches);
  TakeShareOfSum(&caches);
  // A machine that names its second level but no third has none: the second is the last.
  if (caches.last == 0) caches.last = caches.l2;
  if (caches.l1 == 0) caches.l1 = kNominal.l1;
  if (caches.l2 == 0) caches.l2 = kNominal.l2;
  if (caches.last == 0) caches.last = kNominal.last;
  return caches;
}

}  // namespace v1
}  // namespace dimorder

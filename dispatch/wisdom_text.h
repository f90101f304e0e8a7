// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_WISDOM_TEXT_H_
#define DIMORDER_DISPATCH_WISDOM_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dimorder/status.h"
#include "dispatch/choice.h"
#include "dispatch/machine.h"
#include "dispatch/text.h"
#include "dispatch/wisdom.h"

// The lines of wisdom (dimorder/wisdom.h shows them), written and read.
namespace dimorder {
inline namespace v1 {

struct WisdomEntry {
  WisdomKey key;
  Choice choice;
  int64_t element_bytes;  // of the kernel; 0: no entry
};

void WriteWisdomHeader(const Caches& caches, TextWriter* text) noexcept;
void WriteWisdomEntry(const WisdomEntry& entry, TextWriter* text) noexcept;
void WriteWisdomEnd(size_t entries, TextWriter* text) noexcept;

// Reads a text from the start. Every error is a kWisdomLine with the line's number, but for a header of other caches.
class WisdomReader {
 public:
  explicit WisdomReader(std::string_view text) : rest_(text) {}

  Status ReadHeader(const Caches& caches) noexcept;
  // Whether the line of the end is next, or the text is over.
  bool AtEnd() const noexcept;
  // An entry whose target or kernel this build lacks has no element_bytes.
  Status ReadEntry(WisdomEntry* entry) noexcept;
  // Nothing follows the end, and as many entries came before it as it says.
  Status ReadEnd(size_t entries) noexcept;

 private:
  bool Take(std::string_view literal) noexcept;
  bool TakeWord(std::string_view* word) noexcept;
  bool TakeNumber(int64_t most, int64_t* number) noexcept;
  bool TakeHash(uint64_t* hash) noexcept;
  bool TakeChoice(WisdomEntry* entry) noexcept;
  bool TakeLineEnd() noexcept;
  Status BadLine() const noexcept;

  std::string_view rest_;
  int64_t line_ = 1;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_WISDOM_TEXT_H_

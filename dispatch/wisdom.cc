// SPDX-License-Identifier: Apache-2.0
//
// Wisdom: a hash table of fixed size under one lock, and its text.
//
// Import reads the text twice: once to check every line and to count, then, under the lock, to take it over; so a text
// that is refused has changed nothing. Problems are hashed twice with different starts; 128 bits do not collide.
#include "dispatch/wisdom.h"

#include <atomic>
#include <bit>

#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "dispatch/spin_lock.h"
#include "dispatch/target.h"
#include "dispatch/wisdom_text.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr size_t kSlots = 2 * kMaxWisdom;  // a power of two

constinit std::atomic<bool> locked{false};
constinit std::atomic<bool> orphaned{false};
constinit std::atomic<size_t> size{0};  // written under the lock
constinit WisdomEntry slots[kSlots] = {};

// The table's lock, which who exports or imports holds for longer than a plan takes. Once it was waited for in vain, as
// in a child that was forked while another thread held it, nobody waits long until it is had again.
class TableLocked : public Locked {
 public:
  TableLocked() : Locked(locked, orphaned.load(std::memory_order_relaxed) ? Patience::kBrief : Patience::kLong) {
    const bool in_vain = !*this;
    if (in_vain != orphaned.load(std::memory_order_relaxed)) orphaned.store(in_vain, std::memory_order_relaxed);
  }
};

// Where a key is or would be; the table is never more than half full.
WisdomEntry& SlotOf(const WisdomKey& key) {
  size_t i = key.problem[0] % kSlots;
  while (slots[i].element_bytes != 0 && !(slots[i].key == key)) i = (i + 1) % kSlots;
  return slots[i];
}

// Under the lock. False when there is no room.
bool Put(const WisdomEntry& entry) {
  WisdomEntry& slot = SlotOf(entry.key);
  if (slot.element_bytes == 0) {
    if (size.load(std::memory_order_relaxed) == kMaxWisdom) return false;
    size.fetch_add(1, std::memory_order_relaxed);
  }
  slot = entry;
  return true;
}

class Hash {
 public:
  explicit Hash(uint64_t start) : state_(start) {}

  void Add(int64_t value) {
    state_ = (std::rotl(state_, 29) ^ static_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15;
    state_ ^= state_ >> 32;
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_;
};

uint64_t HashOf(const Request& request, uint64_t start) {
  Hash hash(start);
  hash.Add(static_cast<int64_t>(request.stores));
  hash.Add(request.problem.unit);
  hash.Add(request.problem.num_axes);
  for (int i = 0; i < request.problem.num_axes; ++i) {
    const Axis& axis = request.problem.axes[i];
    hash.Add(axis.n);
    hash.Add(axis.is);
    hash.Add(axis.os);
  }
  return hash.value();
}

// Reads all lines and hands the entries of this build's kernels and targets to `take`.
template <class Take>
Result<WisdomImport> Read(std::string_view text, const Take& take) {
  WisdomReader reader(text);
  WisdomImport counts;
  if (Status status = reader.ReadHeader(MachineCaches()); !status.ok()) return status;
  while (!reader.AtEnd()) {
    WisdomEntry entry;
    if (Status status = reader.ReadEntry(&entry); !status.ok()) return status;
    if (entry.element_bytes == 0) {
      ++counts.skipped;
    } else {
      ++counts.taken;
      take(entry);
    }
  }
  if (Status status = reader.ReadEnd(counts.taken + counts.skipped); !status.ok()) return status;
  return counts;
}

Status TooMuch(size_t problems) {
  return Status(StatusCode::kInvalidArgument, Rule::kWisdomSize, static_cast<int64_t>(problems), kMaxWisdom);
}

}  // namespace

WisdomKey WisdomKeyOf(const Request& request) noexcept {
  return {request.target, request.threads, {HashOf(request, 1), HashOf(request, 0x243f6a8885a308d3)}};
}

bool FindWisdom(const WisdomKey& key, Choice* choice) noexcept {
  const TableLocked lock;
  if (!lock) return false;
  const WisdomEntry& slot = SlotOf(key);
  if (slot.element_bytes == 0) return false;
  *choice = slot.choice;
  return true;
}

bool HaveWisdom() noexcept { return size.load(std::memory_order_relaxed) != 0; }

void AddWisdom(const WisdomKey& key, const Choice& choice, int64_t element_bytes) noexcept {
  if (const TableLocked lock; lock && Put(WisdomEntry{key, choice, element_bytes})) {
    AdvancePlanGeneration();
  }
}

size_t ExportWisdom(char* buffer, size_t capacity) noexcept {
  TextWriter text(buffer, capacity);
  const TableLocked lock;
  WriteWisdomHeader(MachineCaches(), &text);
  size_t entries = 0;
  for (const WisdomEntry& slot : slots) {
    if (!lock || slot.element_bytes == 0) continue;
    WriteWisdomEntry(slot, &text);
    ++entries;
  }
  WriteWisdomEnd(entries, &text);
  return text.Finish();
}

Result<WisdomImport> ImportWisdom(std::string_view text) noexcept {
  const Result<WisdomImport> checked = Read(text, [](const WisdomEntry&) {});
  if (!checked.ok()) return checked.status();
  const TableLocked lock;
  if (!lock) return WisdomImport{.taken = 0, .skipped = checked->taken + checked->skipped};
  size_t more = 0;
  static_cast<void>(
      Read(text, [&](const WisdomEntry& entry) { more += SlotOf(entry.key).element_bytes == 0 ? 1 : 0; }));
  const size_t problems = size.load(std::memory_order_relaxed) + more;
  if (problems > kMaxWisdom) return TooMuch(problems);
  static_cast<void>(Read(text, [](const WisdomEntry& entry) { Put(entry); }));
  AdvancePlanGeneration();
  return checked;
}

void ForgetWisdom() noexcept {
  if (const TableLocked lock; lock) {
    for (WisdomEntry& slot : slots) slot = WisdomEntry{};
    size.store(0, std::memory_order_relaxed);
  }
  AdvancePlanGeneration();
}

}  // namespace v1
}  // namespace dimorder

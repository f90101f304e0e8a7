// SPDX-License-Identifier: Apache-2.0
#include "dispatch/wisdom_text.h"

#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr std::string_view kMagic = "dimorder-wisdom 2 ";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr int kHashDigits = 16;
constexpr int64_t kMaxNumber = int64_t{1} << 50;
constexpr int64_t kMaxThreads = INT32_MAX;
constexpr int64_t kMaxRun = 1 << 20;

// string_view's own starts_with and substr check positions by throwing.
bool StartsWith(std::string_view text, std::string_view literal) {
  return text.size() >= literal.size() && std::string_view(text.data(), literal.size()) == literal;
}

void WriteHash(uint64_t hash, TextWriter* text) {
  for (int digit = kHashDigits - 1; digit >= 0; --digit)
    text->Add(std::string_view(kHexDigits.data() + (hash >> (4 * digit) & 15), 1));
}

KernelId KernelNamed(std::string_view name) {
  int id = 0;
  while (id < kNumKernels && name != GetKernelInfo(static_cast<KernelId>(id)).name) ++id;
  return static_cast<KernelId>(id);
}

// Highway's bit; 0 for a target that this build does not have.
int64_t TargetNamed(std::string_view name) {
  for (int64_t mask = CompiledTargetMask(); mask != 0; mask &= mask - 1) {
    const int64_t target = mask & -mask;
    if (name == TargetName(target)) return target;
  }
  return 0;
}

}  // namespace

void WriteWisdomHeader(const Caches& caches, TextWriter* text) noexcept {
  text->Add(kMagic).Add("l2=").Add(caches.l2).Add(" last=").Add(caches.last).Add("\n");
}

void WriteWisdomEntry(const WisdomEntry& entry, TextWriter* text) noexcept {
  text->Add(TargetName(entry.key.target)).Add(" threads=").Add(entry.key.threads).Add(" problem=");
  WriteHash(entry.key.problem[0], text);
  WriteHash(entry.key.problem[1], text);
  text->Add(" ");
  WriteChoice(entry.choice, entry.element_bytes, text);
  text->Add("\n");
}

void WriteWisdomEnd(size_t entries, TextWriter* text) noexcept {
  text->Add("end ").Add(static_cast<int64_t>(entries)).Add("\n");
}

Status WisdomReader::ReadHeader(const Caches& caches) noexcept {
  int64_t l2, last;
  const bool right = Take(kMagic) && Take("l2=") && TakeNumber(kMaxNumber, &l2) && Take(" last=") &&
                     TakeNumber(kMaxNumber, &last) && TakeLineEnd();
  if (!right) return BadLine();
  if (l2 == caches.l2 && last == caches.last) return Status();
  return Status(StatusCode::kUnsupported, Rule::kWisdomMachine, l2, last, caches.l2, caches.last);
}

bool WisdomReader::AtEnd() const noexcept { return rest_.empty() || StartsWith(rest_, "end "); }

Status WisdomReader::ReadEntry(WisdomEntry* entry) noexcept {
  *entry = WisdomEntry{};
  std::string_view target;
  const bool right = TakeWord(&target) && Take(" threads=") && TakeNumber(kMaxThreads, &entry->key.threads) &&
                     Take(" problem=") && TakeHash(&entry->key.problem[0]) && TakeHash(&entry->key.problem[1]) &&
                     Take(" ") && TakeChoice(entry) && TakeLineEnd();
  if (!right) return BadLine();
  entry->key.target = TargetNamed(target);
  if (entry->key.target == 0) entry->element_bytes = 0;
  return Status();
}

Status WisdomReader::ReadEnd(size_t entries) noexcept {
  int64_t written;
  const bool right = Take("end ") && TakeNumber(kMaxNumber, &written) && static_cast<size_t>(written) == entries;
  return right && TakeLineEnd() && rest_.empty() ? Status() : BadLine();
}

bool WisdomReader::Take(std::string_view literal) noexcept {
  if (!StartsWith(rest_, literal)) return false;
  rest_.remove_prefix(literal.size());
  return true;
}

// Up to the next space, which stays.
bool WisdomReader::TakeWord(std::string_view* word) noexcept {
  const size_t length = rest_.find_first_of(" \n");
  if (length == 0 || length == std::string_view::npos) return false;
  *word = std::string_view(rest_.data(), length);
  rest_.remove_prefix(length);
  return true;
}

bool WisdomReader::TakeNumber(int64_t most, int64_t* number) noexcept {
  size_t digits = 0;
  int64_t value = 0;
  for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
    value = value * 10 + (rest_[digits] - '0');
    if (value > most) return false;
  }
  rest_.remove_prefix(digits);
  *number = value;
  return digits != 0;
}

bool WisdomReader::TakeHash(uint64_t* hash) noexcept {
  if (rest_.size() < kHashDigits) return false;
  *hash = 0;
  for (int i = 0; i < kHashDigits; ++i) {
    const size_t digit = kHexDigits.find(rest_[static_cast<size_t>(i)]);
    if (digit == std::string_view::npos) return false;
    *hash = *hash << 4 | digit;
  }
  rest_.remove_prefix(kHashDigits);
  return true;
}

bool WisdomReader::TakeChoice(WisdomEntry* entry) noexcept {
  std::string_view kernel;
  int64_t pack, swap;
  Choice& choice = entry->choice;
  const bool right = TakeWord(&kernel) && Take(" pack=") &&
                     TakeNumber(static_cast<int64_t>(Pack::kLongColumns), &pack) && Take(" panel=") &&
                     TakeNumber(kMaxNumber, &choice.panel) && Take(" run=") && TakeNumber(kMaxRun, &choice.run) &&
                     Take(" rows=") && TakeNumber(kMaxNumber, &choice.rows) && Take(" cols=") &&
                     TakeNumber(kMaxNumber, &choice.cols) && Take(" swap=") && TakeNumber(1, &swap) && Take(" copy=") &&
                     TakeNumber(kMaxNumber, &choice.copy);
  if (!right) return false;
  choice.pack = static_cast<Pack>(pack);
  choice.swap = swap != 0;
  const KernelId id = KernelNamed(kernel);
  if (id == kNumKernels) return true;
  choice.family = GetKernelInfo(id).family;
  entry->element_bytes = GetKernelInfo(id).element_bytes;
  return choice.panel >= 1 || HasLineTiles(choice.family, entry->element_bytes);
}

bool WisdomReader::TakeLineEnd() noexcept {
  if (!Take("\n")) return false;
  ++line_;
  return true;
}

Status WisdomReader::BadLine() const noexcept { return Status(StatusCode::kInvalidArgument, Rule::kWisdomLine, line_); }

}  // namespace v1
}  // namespace dimorder

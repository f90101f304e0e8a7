// SPDX-License-Identifier: Apache-2.0
// What object_code_test.cc reads: code in the shape of the library's. Compiled several times, each with one macro that
// changes one thing.
#include <cstdint>

namespace dimorder {
inline namespace v1 {

struct KernelArgs {
  int64_t n;
};
using KernelFn = int64_t (*)(const KernelArgs& args);

namespace N_AVX2 {
namespace {

#ifdef FIXTURE_TABLE
constexpr int64_t kTable[] = {2, 3, 5, 9};
#else
constexpr int64_t kTable[] = {2, 3, 5, 7};
#endif

[[gnu::noinline]] int64_t Rows(const KernelArgs& args) {
#ifdef FIXTURE_KERNEL
  return args.n * 5;
#else
  return args.n * 3;
#endif
}

template <class T>
int64_t Tile(const KernelArgs& args) {
  return Rows(args) + static_cast<T>(kTable[args.n % 4]);
}

int64_t Run(const KernelArgs& args) { return args.n; }

}  // namespace

[[gnu::noinline]] KernelFn Find(bool tile) { return tile ? &Tile<uint32_t> : &Run; }

}  // namespace N_AVX2

namespace {

[[gnu::noinline]] int64_t Plan(int64_t n) {
#ifdef FIXTURE_PLANNER
  return n + 2;
#else
  return n + 1;
#endif
}

}  // namespace
}  // namespace v1
}  // namespace dimorder

#ifdef FIXTURE_MOVED
extern "C" int64_t NobodyCallsThis(int64_t n);
int64_t NobodyCallsThis(int64_t n) { return 7 * n + 3; }
#endif

extern "C" int64_t dimorder_permute(int64_t n);
int64_t dimorder_permute(int64_t n) {
  const dimorder::KernelArgs args{dimorder::Plan(n)};
  return dimorder::N_AVX2::Find(n > 3)(args);
}

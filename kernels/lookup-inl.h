// SPDX-License-Identifier: Apache-2.0
// Family kLookup: all of a small move, whatever its axes are, by the table lookups that the plan wrote down.
#if defined(DIMORDER_KERNELS_LOOKUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_LOOKUP_INL_H_
#undef DIMORDER_KERNELS_LOOKUP_INL_H_
#else
#define DIMORDER_KERNELS_LOOKUP_INL_H_
#endif

#include "kernels/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Vectors of as many destination blocks as are made at a time: all of four, else two, if there are vectors of so many.
template <int64_t kCount>
using BlocksTag = hn::CappedTag<uint8_t, HWY_MIN(hn::MaxLanes(WideTag<uint8_t>()), kCount == 4 ? 64 : 32)>;

// Destination blocks from `to` on. Each of the source blocks is in all blocks of a vector.
template <class D, class V, class... Rest>
HWY_INLINE V LookUpBlocks(D d, const BlockTables& tables, int64_t to, V first, Rest... rest) {
  int64_t from = 0;
  const auto part = [&](V block) { return hn::TableLookupBytesOr0(block, hn::LoadU(d, tables.to[from++][to])); };
  V joined = part(first);
  ((joined = hn::Or(joined, part(rest))), ...);
  return joined;
}

// What is in several blocks, all of which are loaded before the first is stored.
template <class D, class... V>
HWY_INLINE void StoreLookedUp(D d, uint8_t* dst, int64_t bytes, const BlockTables& tables, V... blocks) {
  constexpr auto kCount = static_cast<int64_t>(sizeof...(blocks));
  constexpr int64_t kStep = kBlocks<D>;
  for (int64_t to = 0; to < kCount; to += kStep) {
    const auto v = LookUpBlocks(d, tables, to, blocks...);
    if ((to + kStep) * 16 <= bytes) {
      hn::StoreU(v, d, dst + to * 16);
    } else {
      const auto place = [=](int64_t k) { return dst + PlaceOfBlock(to + k, bytes); };
      PartBlocks(d, v, place, [](auto block_d, auto block, uint8_t* p) { hn::StoreU(block, block_d, p); });
    }
  }
}

void Lookup(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const BlockTables& tables = args.blocks();
  const int64_t bytes = args.inner[0].n;
  if (bytes <= 16) {
    const BlockTag<uint8_t> d;
    const auto n = static_cast<size_t>(bytes);
    return StoreFirst(d, LookUpBlocks(d, tables, 0, LoadFirst<uint8_t>(src, n)), dst, n);
  }
  const uint8_t* const last = src + bytes - 16;
  if (bytes <= 32) {
    const BlocksTag<2> d;
    return StoreLookedUp(d, dst, bytes, tables, hn::LoadDup128(d, src), hn::LoadDup128(d, last));
  }
  if (bytes <= 48) {
    const BlocksTag<3> d;
    return StoreLookedUp(d, dst, bytes, tables, hn::LoadDup128(d, src), hn::LoadDup128(d, src + 16),
                         hn::LoadDup128(d, last));
  }
  const BlocksTag<4> d;
  StoreLookedUp(d, dst, bytes, tables, hn::LoadDup128(d, src), hn::LoadDup128(d, src + 16), hn::LoadDup128(d, src + 32),
                hn::LoadDup128(d, last));
}

#else

// Plans have none for such a target: kGeneric takes less time.
void Lookup(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  for (int64_t to = 0; to < BlocksOf(bytes); ++to) {
    for (int64_t from = 0; from < BlocksOf(bytes); ++from) {
      for (int64_t i = 0; i < HWY_MIN(bytes, 16); ++i) {
        const uint8_t at = args.blocks().to[from][to][i];
        if (at != BlockTables::kElsewhere) dst[PlaceOfBlock(to, bytes) + i] = src[PlaceOfBlock(from, bytes) + at];
      }
    }
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_LOOKUP_INL_H_

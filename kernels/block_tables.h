// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_BLOCK_TABLES_H_
#define DIMORDER_KERNELS_BLOCK_TABLES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

// Table lookups that permute up to a line of bytes by blocks of 16.
namespace dimorder {
inline namespace v1 {

// Blocks that hold so many bytes, the last one overlapping; fewer than 16 bytes are a part of one.
inline int64_t BlocksOf(int64_t bytes) { return (bytes + 15) / 16; }
inline int64_t PlaceOfBlock(int64_t block, int64_t bytes) {
  return std::max(std::min(block * 16, bytes - 16), int64_t{0});
}

// to[from][to]: the places in source block `from` of what it has of destination block `to`, kElsewhere for what comes
// from others. Bytes that two source blocks have come from the first. Where there are three, a fourth is as the third.
struct BlockTables {
  static constexpr uint8_t kElsewhere = 0x80;

  uint8_t to[4][4][16];
};

// `source` says where each of `bytes` bytes comes from.
inline BlockTables MakeBlockTables(const uint8_t* source, int64_t bytes) {
  BlockTables tables;
  memset(&tables, BlockTables::kElsewhere, sizeof(tables));
  const int64_t blocks = BlocksOf(bytes) == 3 ? 4 : BlocksOf(bytes);
  int64_t place[4];
  for (int64_t block = 0; block < blocks; ++block) place[block] = PlaceOfBlock(block, bytes);
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t i = 0; i < std::min(bytes, int64_t{16}); ++i) {
      const int64_t at = source[place[block] + i];
      tables.to[at / 16][block][i] = static_cast<uint8_t>(at - place[at / 16]);
    }
  }
  return tables;
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_BLOCK_TABLES_H_

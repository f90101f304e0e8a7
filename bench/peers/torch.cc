// SPDX-License-Identifier: Apache-2.0
// libtorch: copy_ of a permuted view into a given output, on integers of the element's size.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <map>
#include <optional>
#include <utility>

#include "bench/peers/peers.h"

namespace dimorder::bench {
namespace {

std::optional<at::ScalarType> TypeOf(int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return at::kByte;
    case 2:
      return at::kShort;
    case 4:
      return at::kInt;
    case 8:
      return at::kLong;
    default:
      return std::nullopt;
  }
}

// The tensors of each pair of buffers, made when the pair is first seen: wrapping a buffer takes longer than some
// moves.
class Tensors {
 public:
  Tensors(const Permutation& p, at::ScalarType type) : type_(type) {
    sizes_.assign(p.sizes.begin(), p.sizes.end());
    perm_.assign(p.perm.begin(), p.perm.end());
    for (const int axis : p.perm) moved_sizes_.push_back(p.sizes[static_cast<size_t>(axis)]);
  }

  void Copy(const uint8_t* src, uint8_t* dst) {
    auto [found, is_new] = made_.try_emplace(src);
    auto& [view, out] = found->second;
    if (is_new) {
      view = at::from_blob(const_cast<uint8_t*>(src), sizes_, at::TensorOptions(type_)).permute(perm_);
      out = at::from_blob(dst, moved_sizes_, at::TensorOptions(type_));
    }
    out.copy_(view);
  }

 private:
  at::ScalarType type_;
  std::vector<int64_t> sizes_, moved_sizes_, perm_;
  std::map<const uint8_t*, std::pair<at::Tensor, at::Tensor>> made_;
};

}  // namespace

std::unique_ptr<Contender> MakeTorch(const Permutation& p, size_t threads) {
  const std::optional<at::ScalarType> type = TypeOf(p.element_bytes);
  if (!type) return nullptr;
  at::set_num_threads(static_cast<int>(threads));
  auto tensors = std::make_shared<Tensors>(p, *type);
  return MakeContender("torch", [tensors](const uint8_t* src, uint8_t* dst) { tensors->Copy(src, dst); });
}

}  // namespace dimorder::bench

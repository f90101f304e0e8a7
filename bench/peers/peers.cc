// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/peers.h"

namespace dimorder::bench {

const std::vector<Peer>& Peers() {
  static const std::vector<Peer> peers = {
      {"naive", &MakeNaive},
#ifdef DIMORDER_PEER_EIGEN
      {"eigen", &MakeEigen},
#endif
#ifdef DIMORDER_PEER_ONEDNN
      {"onednn", &MakeOneDnn},
#endif
#ifdef DIMORDER_PEER_OPENBLAS
      {"openblas", &MakeOpenBlas},
#endif
#ifdef DIMORDER_PEER_TORCH
      {"torch", &MakeTorch},
#endif
  };
  return peers;
}

}  // namespace dimorder::bench

// SPDX-License-Identifier: Apache-2.0
//
// dimorder-bench-model MODEL.onnx [THREADS [BLOCKS]]: the graph runtime with the XNNPACK delegate on the model's NCHW
// data, against plain XNNPACK on NHWC data: same weights, same process, same pool, taking turns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/models/plain_xnnpack.h"
#include "dimorder/dimorder.h"
#include "dimorder/onnx.h"
#include "dimorder/program.h"
#include "dimorder/xnnpack.h"
#include "dispatch/measure.h"

namespace dimorder::bench {
namespace {

int Fail(const std::string& why) {
  std::fprintf(stderr, "dimorder-bench-model: %s\n", why.c_str());
  return 1;
}

double Median(std::vector<double> numbers) {
  std::ranges::nth_element(numbers, numbers.begin() + static_cast<ptrdiff_t>(numbers.size() / 2));
  return numbers[numbers.size() / 2];
}

// The largest difference, relative to the largest magnitude; b may be longer.
double Difference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<double>(a[i] - b[i])));
    largest = std::max(largest, std::fabs(static_cast<double>(b[i])));
  }
  return worst / largest;
}

int Run(const std::string& path, size_t threads, int blocks) {
  const auto graph = ImportOnnxFile(path, {.batch = 1});
  if (!graph.ok()) return Fail(graph.status().message());
  const auto pool = XnnpackThreads::Create(threads);
  const auto delegate = NewXnnpackDelegate();
  if (!pool.ok() || !delegate.ok()) return Fail(pool.status().message() + delegate.status().message());
  CompileOptions options;
  options.delegates = {delegate->get()};
  if (threads > 1) options.executor = pool->executor();
  const auto program = Program::Create(*graph, options);
  if (!program.ok()) return Fail(program.status().message());
  auto context = program->NewContext();
  if (!context.ok()) return Fail(context.status().message());

  PlainXnnpack plain(*graph, threads > 1 ? static_cast<pthreadpool_t>(pool->executor()->ctx) : nullptr);
  if (!plain.error().empty()) return Fail(plain.error());
  const TensorType& image = graph->values[static_cast<size_t>(graph->inputs[0])].type;
  std::vector<float> x(static_cast<size_t>(NumElements(image)));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 251) / 125 - 1;
  const Status moved = ToDimOrder(x.data(), plain.input(0).data(), image.sizes, image.dim_order, kNHWC, sizeof(float));
  if (!moved.ok()) return Fail(moved.ToString());
  const InputBuffer inputs[] = {{image, x.data()}};
  std::vector<std::vector<float>> y;
  std::vector<OutputBuffer> outputs;
  for (ValueId id : graph->outputs) {
    const TensorType& type = graph->values[static_cast<size_t>(id)].type;
    outputs.push_back({type, y.emplace_back(static_cast<size_t>(NumElements(type))).data()});
  }

  GraphStatus status;
  auto run_plain = [&](int64_t, int64_t calls) {
    for (int64_t i = 0; i < calls; ++i) plain.Run();
  };
  auto run_program = [&](int64_t, int64_t calls) {
    for (int64_t i = 0; i < calls && status.ok(); ++i) status = context->Run(inputs, outputs);
  };
  AbbaSampler sampler(run_plain, run_program);
  sampler.WarmUp();
  std::vector<double> plain_ns;
  std::vector<double> program_ns;
  std::vector<double> ratios;
  for (int block = 0; block < blocks; ++block) {
    const BlockTimes times = sampler.Next();
    plain_ns.push_back(times.a_ns);
    program_ns.push_back(times.b_ns);
    ratios.push_back(std::exp(times.log_ratio));
  }
  if (!status.ok()) return Fail(status.message());
  double difference = 0;
  for (size_t i = 0; i < y.size(); ++i) difference = std::max(difference, Difference(y[i], plain.output(i)));
  std::printf("%s, %zu threads: plain %.3f ms, dimorder %.3f ms, ratio %.4f; %zu copies; outputs differ by %.1e\n",
              path.c_str(), threads, Median(plain_ns) / 1e6, Median(program_ns) / 1e6, Median(ratios),
              program->report().copies.size(), difference);
  return 0;
}

}  // namespace
}  // namespace dimorder::bench

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("dimorder-bench-model MODEL.onnx [THREADS [BLOCKS]]"), 1;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const int blocks = argc > 3 ? std::atoi(argv[3]) : 40;
  return dimorder::bench::Run(argv[1], static_cast<size_t>(std::max(1, threads)), std::max(1, blocks));
}

// SPDX-License-Identifier: Apache-2.0
#include "bench/machine_context.h"

#include <benchmark/benchmark.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

#include "bench/build_info.h"
#include "bench/commit.h"
#include "bench/limit.h"
#include "dimorder/version.h"
#include "dispatch/machine.h"

namespace dimorder::bench {
namespace {

constexpr char kUnknown[] = "unknown";

std::string FirstLine(const char* path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : kUnknown;
}

// The value of a line "key : value" of /proc/cpuinfo.
std::string CpuInfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return kUnknown;
}

// "always [madvise] never" -> "madvise".
std::string Bracketed(const std::string& choices) {
  const size_t open = choices.find('[');
  const size_t close = choices.find(']');
  if (open == std::string::npos || close == std::string::npos) return choices;
  return choices.substr(open + 1, close - open - 1);
}

std::string Kernel() {
  utsname names;
  if (uname(&names) != 0) return kUnknown;
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string CpuModel() {
  const std::string name = CpuInfo("model name");
  return name != kUnknown ? name : "implementer " + CpuInfo("CPU implementer") + " part " + CpuInfo("CPU part");
}

std::string OneDecimal(double value) {
  std::array<char, 32> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
  return buffer.data();
}

}  // namespace

Context MachineContext() {
  const Caches caches = MachineCaches();
  return {{"cpu_model", CpuModel()},
          {"cpu_family", CpuInfo("cpu family") + "." + CpuInfo("model\t") + "." + CpuInfo("stepping")},
          {"cache_l1", std::to_string(caches.l1)},
          {"cache_l2", std::to_string(caches.l2)},
          {"cache_last", std::to_string(caches.last)},
          {"os", Kernel()},
          {"governor", FirstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
          {"page_bytes", std::to_string(sysconf(_SC_PAGESIZE))},
          {"huge_pages", Bracketed(FirstLine("/sys/kernel/mm/transparent_hugepage/enabled"))}};
}

Context BuildContext() {
  return {{"dimorder", DIMORDER_VERSION_STRING},
          {"commit", kCommit},
          {"dirty", kDirty},
          {"compiler", kCompiler},
          {"flags", kFlags}};
}

void Publish(const Context& context) {
  for (const auto& [key, value] : context) benchmark::AddCustomContext(key, value);
  // The object is not const, only the access is.
  const_cast<std::string&>(benchmark::SystemInfo::Get().name).clear();
  const char*& program = benchmark::BenchmarkReporter::Context::executable_name;
  if (const char* slash = std::strrchr(program, '/'); slash != nullptr) program = slash + 1;
}

Context CopyContext(const Settings& settings) {
  constexpr std::pair<const char*, int64_t> kSizes[] = {
      {"16KiB", 16 << 10}, {"256KiB", 256 << 10}, {"4MiB", 4 << 20}, {"64MiB", 64 << 20}};
  constexpr int64_t kBlocks = 32;
  constexpr double kSeconds = 0.1;
  Context context;
  for (const auto& [name, bytes] : kSizes) {
    BufferPairs pairs(bytes, bytes, kMostPlacements);
    const std::unique_ptr<Contender> copies[] = {MakeMemcpy(bytes, *settings.threads),
                                                 MakeStreamCopy(bytes, *settings.threads, settings.target)};
    const DuetResult result = RunDuet(*copies[0], *copies[1], pairs, kBlocks, kSeconds);
    const double both_ways = 2 * static_cast<double>(bytes);
    context.emplace_back(std::string("memcpy_GBps_") + name, OneDecimal(both_ways / result.a_ns));
    context.emplace_back(std::string("stream_GBps_") + name, OneDecimal(both_ways / result.b_ns));
  }
  return context;
}

}  // namespace dimorder::bench

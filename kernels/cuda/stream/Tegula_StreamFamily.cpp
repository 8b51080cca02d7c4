// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <numeric>

#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_StreamArguments.hpp"
#include "Tegula_StreamConfig.hpp"
#include "Tegula_StreamModel.hpp"
#include "Tegula_StreamTiles.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "stream";
constexpr const char* types =
    "it takes one type of elements throughout, but for the bias of 16-bit calls, with an "
    "activation that Tegula brings, on Cuda";
constexpr int lanes = 32;

bool takes_types(const Call& call) { return is_built_in_float_or_double(call) || is_built_in_half_to_half(call); }

template <class T>
constexpr auto choices = choices_of(StreamConfigs<T>());

bool takes(const ConfigChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  return takes_small_side(choice, shape, machine) && shape.k <= choice.tile.k;
}

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine) {
  const GemmShape shape = call.shape();
  const auto is_taken   = [&](const ConfigChoice& choice) { return takes(choice, shape, machine); };
  if (shape.k < 1 || std::none_of(choices<T>.begin(), choices<T>.end(), is_taken))
    return "k is 0, or m and n, or k, are wider than its tiles";
  return stream_arguments<T>(call)
             ? nullptr
             : "the long operand or the result has neither rows without gaps nor contiguous columns, or Z does not "
               "lie as C does";
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (options.split_k > 1) return "it does not cut k";
  return with_bits(calls[0], [&]<class T>() { return refusal_of_type<T>(calls[0], machine); });
}

/// Whether lines, or columns if these are contiguous, consist of chunks.
template <class T>
bool has_chunks(const StreamedMatrix& matrix) {
  return matrix.has_runs_of(16 / int(sizeof(T)));
}

/// How often scratch is read where the lanes of a warp read elements of neighbouring lines: those of rows without gaps
/// are as far apart as rows are long, unless they are read in chunks.
template <class T>
double turns_of(const StreamedMatrix& matrix) {
  constexpr int banks = 32, words = int(sizeof(T)) / 4;
  return matrix.is_packed() && !has_chunks<T>(matrix) ? std::max(words, std::gcd(matrix.columns * words, banks))
                                                      : words;
}

/// Elements of C for a line that are stored, or read and stored.
template <class T>
double results_of(const StreamArguments<T>& call) {
  return call.C.columns * (call.beta != 0 ? 2.0 : 1.0);
}

/// A configuration, and how many of a warp's lanes lie along the short side of its tiles.
struct StreamWay {
  ConfigChoice choice;
  int lanes_beside = 1;

  double lane_lines() const { return number(choice.tile.m) * lanes_beside / lanes; }
  double lane_width() const { return number(choice.tile.n) / lanes_beside; }
  /// Lines of a tile that there are.
  template <class T>
  std::int64_t lines(const StreamArguments<T>& call) const {
    return std::min<std::int64_t>(call.lines, choice.tile.m);
  }
};

template <class T>
StreamWay way_of(std::size_t config) {
  if constexpr (sizeof(T) == 2) {
    return {choices<T>[config]};
  } else {
    return {choices<T>[config], lanes_beside_of(StreamConfigs<T>())[config]};
  }
}

/// Instructions of a warp that moves lines, a lane so many chunks of a column of theirs, to scratch and from it.
template <class T, class Model>
double moved_by(const Model& model, const StreamArguments<T>& call, double chunks) {
  const auto of = [&](const StreamedMatrix& matrix, double elements) {
    if (matrix.is_packed()) return elements * chunks * model.chunk[0];
    return elements * (chunks * model.chunk[has_chunks<T>(matrix) ? 1 : 2] + model.column);
  };
  return of(call.streamed, call.depth) + of(call.C, results_of(call));
}

/// Instructions of a warp for a tile, so many of which eight elements of C take longer than those of a plain product.
double instructions_of(const StreamWay& way, const StreamArguments<std::uint16_t>& call, double finish) {
  constexpr std::int64_t block = 8, once = 32;  // elements of a chunk, lines that are multiplied at once
  const StreamMmaModel& model = stream_model<std::uint16_t>;
  const std::int64_t lines    = way.lines(call);
  const double columns = call.C.columns, chunks = number(lines) / (block * lanes);  // of a lane, for a column
  const double steps  = number(ceil_div(std::int64_t(call.depth), std::int64_t(16)));
  const double blocks = way.lane_width() / block, parts = number(ceil_div(std::int64_t(call.C.columns), block));
  const double read = model.read[has_chunks<std::uint16_t>(call.streamed) ? 0 : 1];
  return model.tile + number(ceil_div(lines, once)) * (steps * (read + blocks * model.multiplied) + parts * model.put) +
         moved_by(model, call, chunks) + chunks * columns * finish;
}

/// Cycles before the first tile, until a team has the short operand.
template <class T>
double hold_cycles(const StreamWay& way, const StreamArguments<T>& call) {
  const std::int64_t depth    = sizeof(T) == 2 ? ceil_div(std::int64_t(call.depth), std::int64_t(16)) * 16 : call.depth;
  const std::int64_t elements = depth * way.choice.tile.n;
  return stream_model<T>.held * number(ceil_div(elements, std::int64_t(way.choice.threads)));
}

/// It reads scratch in few turns.
double scratch_cycles_of(const StreamWay&, const StreamArguments<std::uint16_t>&) { return 0; }

/// Instructions of a warp for a tile, so many of which an element of C takes longer than that of a plain product.
template <class T>
double instructions_of(const StreamWay& way, const StreamArguments<T>& call, double finish) {
  constexpr double block = 16.0 / sizeof(T), words = sizeof(T) / 4.0;
  const StreamModel& model = stream_model<T>;
  const double k = call.depth, stored = number(way.choice.tile.m) / lanes;  // results of a lane for a column
  const bool by_chunks    = call.streamed.is_packed() && has_chunks<T>(call.streamed);
  const double loaded     = k * (way.lane_lines() / (by_chunks ? block : 1) + way.lane_width() / block);
  const double multiplied = k * way.lane_lines() * way.lane_width() * words;  // double takes two turns
  const double moved      = moved_by(model, call, number(way.lines(call)) / (block * lanes));
  return model.tile + multiplied + loaded + (results_of(call) + call.C.columns * finish) * stored + moved;
}

/// Cycles of scratch for a tile.
template <class T>
double scratch_cycles_of(const StreamWay& way, const StreamArguments<T>& call) {
  constexpr double block = 16.0 / sizeof(T), words = sizeof(T) / 4.0;
  const double loads  = way.lane_lines() * turns_of<T>(call.streamed) + way.lane_width() / block * words;
  const double stores = number(way.choice.tile.m) / lanes * turns_of<T>(call.C);
  return stream_model<T>.turn * (call.depth * loads + results_of(call) * stores);
}

/// Cycles of the multiprocessor with most tiles. What limits it are the instructions of all its warps, or its scratch,
/// or where it has few tiles a warp that goes from one to the next by itself, and waits.
template <class T>
double cycles_of(const StreamWay& way, const StreamArguments<T>& call, double finish, const CudaMachine& machine) {
  constexpr double issues   = 4;
  const auto& model         = stream_model<T>;
  const int warps           = way.choice.teams * way.choice.threads / lanes;
  const double instructions = instructions_of(way, call, finish);
  const std::int64_t tiles  = ceil_div(call.lines, std::int64_t(way.choice.tile.m));
  const std::int64_t turns  = ceil_div(tiles, std::int64_t(machine.multiprocessors) * warps);
  const double alone        = number(turns) * instructions * model.alone;
  const double together =
      std::max(instructions / (issues * warps / (warps + model.warps)), scratch_cycles_of(way, call));
  return std::max(alone, number(ceil_div(tiles, machine.multiprocessors)) * together);
}

/// A warp goes from tile to tile, as fast as its multiprocessor or memory can.
template <class T>
double seconds_of(const StreamWay& way, const Call& product, const CudaMachine& machine) {
  const CudaRates& rates = *machine.rates;
  const auto& model      = stream_model<T>;
  const auto arguments   = *stream_arguments<T>(product);
  const double bytes     = product_bytes(product);
  const double cycles    = cycles_of(way, arguments, finish_of(model, modelled(product)), machine);
  const double start     = model.start + hold_cycles(way, arguments) / rates.clock;
  const double seconds   = slowest_of({bytes / (model.memory * rates.memory), cycles / rates.clock});
  // Where there are few units for double, they are the limit.
  const double units      = sizeof(T) == 8 ? rates.fma_double : sizeof(T) == 4 ? rates.fma_float : rates.mma_half;
  const double arithmetic = arithmetic_seconds(machine, {arguments.lines, way.choice.tile.n, arguments.depth}, units);
  const double epilogue   = (product.beta != 0 ? model.added : 0) + (product.bias.data != nullptr ? model.biased : 0);
  return rates.kernel + start + epilogue + std::max({bytes / rates.memory, arithmetic, seconds});
}

template <class T>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  propose_stream_tiles(
      choices<T>, call.shape(), options, propose,
      [&](const ConfigChoice& choice) { return takes(choice, call.shape(), machine); },
      [&](std::size_t config) { return seconds_of<T>(way_of<T>(config), call, machine); });
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  with_bits(calls[0], [&]<class T>() { propose_of_type<T>(calls[0], machine, options, propose); });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return with_bits(calls[0],
                   [&]<class T>() { return cut_stream_tiles(name, choices<T>, calls[0], machine, options, proposal); });
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input(l.calls[0], [&]<class Input>() { launch_stream<Input>(l); }); });

}  // namespace

/// Products of a long matrix and a small one, which memory limits: float and double, both matrices up to 32 wide, or
/// the long one up to 128 (double: 64) and the result 8, by fused multiply-adds, and 16 bits, the long one up to 128
/// wide and the result 64, by tensor cores, on compute capability 8.0 and newer. The long matrices may be as wide and
/// as aligned as they like, but their rows have no gaps, or their columns are contiguous.
extern const CudaFamily stream_family{name, Covers::product, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl

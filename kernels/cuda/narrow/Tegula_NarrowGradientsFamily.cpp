// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSliceSums.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_NarrowGradients.hpp"
#include "Tegula_NarrowGradientsModel.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "narrow";
constexpr const char* types =
    "for all gradients it takes half_t or bhalf_t with gradients of float, too, and an activation that Tegula brings "
    "whose derivative follows from its output, on Cuda";

bool takes_types(const Call& call) { return has_output_gradients(call) && is_16_bit(input_of(call)); }

/// Why kernels do not form dZ of the layer below of a call.
const char* layer_below_refusal(const Call& call) {
  if (!call.below) return nullptr;
  if (narrow_gradients_transpose(call))
    return "of few rows it sums dA, and does not multiply that by act' of a layer below";
  if (call.update_dA == Update::accumulate) return "it adds to no dZ of a layer below";
  if (call.below->has_constant_slope) return nullptr;
  if (call.below->saved.element != call.A.element) return "what the layer below saved is of another type";
  const bool by_rows = !narrow_gradients(call).large.columns_are_contiguous();
  const auto saved   = call.below->saved.as<const std::uint16_t>();
  if (by_rows ? !saved.rows_are_contiguous() : !saved.columns_are_contiguous())
    return "what the layer below saved is contiguous in another direction than the larger operand";
  return nullptr;
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& /* options */) {
  const Call& call = calls[0];
  if (const char* reason = gradients_refusal(call, machine)) return reason;
  if (call.dA.data == nullptr && call.dB.data == nullptr) return "neither dA nor dB is wanted";
  if (std::min(call.dC.rows, call.dC.columns) > narrow_gradients_tiles.back().choice.tile.n)
    return "both m and n are larger than 32";
  if (!call.has_constant_slope && call.saved.element != call.dC.element) return "what was saved is of another type";
  const auto large = narrow_gradients(call).large;
  if (!large.columns_are_contiguous() && !large.rows_are_contiguous())
    return "the larger operand has no contiguous direction";
  if (const char* reason = layer_below_refusal(call)) return reason;
  return can_run(narrow_gradients_tiles.back().choice, machine) ? nullptr : "a team has too little scratch";
}

/// Bytes of all matrices, each read or written once.
double bytes_of(const Call& call) {
  const auto bytes = [](const CallMatrix& matrix) {
    return number(matrix.rows) * number(matrix.columns) * static_cast<double>(matrix.element_bytes);
  };
  const double operands = call.has_constant_slope ? 1 : 2;  // of the extents of dC
  return operands * bytes(call.dC) + bytes(call.A) + bytes(call.B) + (call.dA.data == nullptr ? 0 : bytes(call.A)) +
         (call.dB.data == nullptr ? 0 : bytes(call.B));
}

/// Cycles of a multiprocessor, where teams run at once, or one after the other where there are more of them.
double cycles_of(const NarrowGradients& gradients, const NarrowGradientsTile& tile, const NarrowGradientsCut& cut,
                 const CudaMachine& machine) {
  const NarrowGradientsModel& model = narrow_gradients_model;
  const bool splits = !gradients.in_words, by_elements = gradients.reads == NarrowGradientsReads::elements;
  const std::int64_t at_once = std::int64_t(machine.multiprocessors) * tile.teams(gradients.in_words);
  const std::int64_t rounds  = ceil_div(cut.teams(), at_once);
  const double resident      = number(ceil_div(cut.teams(), rounds * machine.multiprocessors));
  const double groups = number(tile.choice.tile.n / 8), steps = number(cut.part_rows / tile.choice.tile.m);
  const double waited = model.step + (splits ? model.more_split : 0) + (by_elements ? model.more_elements : 0);
  const double issued =
      model.issued + (splits ? model.split : 0) + groups * (model.groups + (by_elements ? model.elements : 0));
  return number(rounds) * (model.start + groups * model.more_start + steps * std::max(waited, resident * issued));
}

double seconds_of(const Call& call, const NarrowGradients& gradients, const NarrowGradientsTile& tile,
                  const NarrowGradientsCut& cut, const CudaMachine& machine) {
  const NarrowGradientsModel& model = narrow_gradients_model;
  const CudaRates& rates            = *machine.rates;
  const double kernel               = slowest_of(
                    {cycles_of(gradients, tile, cut, machine) / rates.clock, bytes_of(call) / (model.memory * rates.memory)});
  const double bytes = sizeof(float) * number(gradients.sums.slice_size()) * number(cut.parts);
  const double slices =
      cut.parts == 1 || bytes == 0 ? 0 : model.slices * rates.kernel + bytes / (model.slice_bytes * rates.memory);
  return (gradients.in_words ? model.times : model.split_times) * (rates.kernel + kernel + slices);
}

/// The one with the fewest columns that takes the call.
const NarrowGradientsTile& tile_of(const GemmShape& shape) {
  return *std::find_if(narrow_gradients_tiles.begin(), narrow_gradients_tiles.end(),
                       [&](const NarrowGradientsTile& tile) { return shape.n <= tile.choice.tile.n; });
}

/// With twice as many teams as run at once, which fill the machine more evenly, and fewer: each leaves sums behind.
/// `split_k` asks for so many below each other.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call                = calls[0];
  const NarrowGradients gradients = narrow_gradients(call);
  const GemmShape shape           = narrow_gradients_shape(call);
  const NarrowGradientsTile& tile = tile_of(shape);
  const TileShape& own            = tile.choice.tile;
  const TileShape placed          = narrow_gradients_transpose(call) ? own.transposed() : own;
  if (options.tile != TileShape{} && options.tile != placed && options.tile != own) return;
  const std::int64_t at_once = std::int64_t(machine.multiprocessors) * tile.teams(gradients.in_words);
  const std::int64_t panels = narrow_gradients_cut(shape, 1).panels, steps = ceil_div(shape.m, own.m);
  std::int64_t last = 0;
  for (std::int64_t few = 1; few <= 64; few *= 2) {
    const std::int64_t asked = options.split_k > 0 ? options.split_k : 2 * at_once / few / panels;
    const auto cut           = narrow_gradients_cut(shape, std::clamp<std::int64_t>(asked, 1, steps));
    if (cut.parts == last) continue;
    last = cut.parts;
    propose({placed, {cut.panels, cut.parts}, false, seconds_of(call, gradients, tile, cut, machine)});
  }
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call                = calls[0];
  const bool transposes           = narrow_gradients_transpose(call);
  const GemmShape shape           = narrow_gradients_shape(call);
  const NarrowGradientsTile& tile = tile_of(shape);
  const ConfigChoice& choice      = tile.choice;
  const auto own                  = narrow_gradients_cut(shape, proposal.parts[1]);
  const auto tiles                = narrow_gradients_product_tiles(choice.tile, transposes);
  auto products                   = uncut_products(call);
  for (std::size_t p = 0; p < products.size(); ++p) {
    ProductPlan& product = products[p];
    if (!is_wanted(product)) {
      product = {};
      continue;
    }
    product.family        = name;
    product.threads       = choice.threads;
    product.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);
    product.holding_teams = static_cast<int>(own.teams());
    cut_into_tiles(product, tiles[p], std::int64_t(machine.multiprocessors) * choice.teams, options);
    cut_inner_dimension(product, (p == 0) == transposes ? own.parts : 1, sizeof(float));
  }
  products[is_wanted(products[0]) ? 0 : 1].seconds = proposal.seconds;
  return products;
}

constexpr auto launch = launch_if<has_mma_kernels>([](const auto& l) {
  with_input_of<F16, Bf16>(l.calls[0], [&]<class Input>() { launch_narrow_gradients<Input>(l); });
  launch_gradient_slices(l.exec, l.calls[0], l.plan, l.memory);
});

}  // namespace

/// All gradients of layers with few rows or columns, in one pass over what is large: 16 bits, on compute capability 8.0
/// and newer.
extern const CudaFamily narrow_gradients_family =
    with_below({name, Covers::gradients, types, takes_types, refusal, propose, cut, launch}, BelowBy::team_sums);

}  // namespace Tegula::Impl

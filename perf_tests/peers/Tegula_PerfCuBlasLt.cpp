// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfCuBlasLt.hpp"

#include <cublasLt.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <tuple>
#include <type_traits>

#include "Tegula_Activation.hpp"
#include "Tegula_PerfCudaTypes.hpp"
#include "Tegula_PerfCudaWorkspace.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfTimer.hpp"

namespace Tegula::Perf {
namespace {

cublasLtHandle_t handle = nullptr;

struct LtEpilogue {
  cublasLtEpilogue_t code;
  const char* name;
};
constexpr LtEpilogue no_epilogue{CUBLASLT_EPILOGUE_DEFAULT, "no epilogue"};
constexpr LtEpilogue sums_of_first{CUBLASLT_EPILOGUE_BGRADA, "BGRADA"};
constexpr LtEpilogue sums_of_second{CUBLASLT_EPILOGUE_BGRADB, "BGRADB"};

/// What the library stores beside the result.
enum class Auxiliary {
  none,
  mask,      ///< a bit an element: whether it is positive
  argument,  ///< the activation's argument, in the type of the result
};

struct ActivationEpilogue {
  std::string_view activation;
  LtEpilogue plain, saving;
  Auxiliary saved;
};
constexpr LtEpilogue bias_alone{CUBLASLT_EPILOGUE_BIAS, "BIAS"};
constexpr LtEpilogue relu{CUBLASLT_EPILOGUE_RELU_BIAS, "RELU_BIAS"};
constexpr LtEpilogue relu_and_mask{CUBLASLT_EPILOGUE_RELU_AUX_BIAS, "RELU_AUX_BIAS"};
constexpr LtEpilogue gelu{CUBLASLT_EPILOGUE_GELU_BIAS, "GELU_BIAS"};
constexpr LtEpilogue gelu_and_argument{CUBLASLT_EPILOGUE_GELU_AUX_BIAS, "GELU_AUX_BIAS"};
constexpr std::array activation_table{
    ActivationEpilogue{Identity::name, bias_alone, bias_alone, Auxiliary::none},
    ActivationEpilogue{Relu::name, relu, relu_and_mask, Auxiliary::mask},
    ActivationEpilogue{GeluTanh::name, gelu, gelu_and_argument, Auxiliary::argument},
};

/// What an epilogue reads and writes beside the result.
struct EpilogueOperands {
  const void* vector                              = nullptr;  ///< the bias, or sums
  void* auxiliary                                 = nullptr;
  std::int64_t aux_leading                        = 0;   ///< elements, or bits of a mask
  Kokkos::View<unsigned char*, Kokkos::Cuda> mask = {};  ///< memory of auxiliary, if that is a mask
};

/// An object of the library with its destructor.
template <class Handle>
using Object = std::unique_ptr<std::remove_pointer_t<Handle>, cublasStatus_t (*)(Handle)>;

Object<cublasLtMatrixLayout_t> new_layout(cudaDataType_t element, int rows, int columns, int leading) {
  cublasLtMatrixLayout_t layout = nullptr;
  check_cublas(cublasLtMatrixLayoutCreate(&layout, element, rows, columns, leading), "cublasLtMatrixLayoutCreate");
  return {layout, cublasLtMatrixLayoutDestroy};
}

Object<cublasLtMatrixLayout_t> new_layout(cudaDataType_t element, const ColumnMajorFactor& factor, int rows,
                                          int columns) {
  return factor.transposed ? new_layout(element, columns, rows, factor.leading)
                           : new_layout(element, rows, columns, factor.leading);
}

Object<cublasLtMatmulDesc_t> new_operation(const CudaTypes& types, const ColumnMajorProduct& product,
                                           LtEpilogue epilogue, const EpilogueOperands& operands) {
  cublasLtMatmulDesc_t desc = nullptr;
  check_cublas(cublasLtMatmulDescCreate(&desc, types.compute, types.scale), "cublasLtMatmulDescCreate");
  Object<cublasLtMatmulDesc_t> operation(desc, cublasLtMatmulDescDestroy);
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check_cublas(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof(value)),
                 "cublasLtMatmulDescSetAttribute");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, cublas_operation(product.first.transposed));
  set(CUBLASLT_MATMUL_DESC_TRANSB, cublas_operation(product.second.transposed));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue.code);
  if (operands.vector != nullptr) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.vector);
  if (operands.auxiliary != nullptr) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.auxiliary);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, operands.aux_leading);
  }
  return operation;
}

/// The largest power of two that divides the address, up to the most that the library asks for.
std::uint32_t alignment(const void* address) {
  constexpr std::uintptr_t most = 256;
  const auto bits               = reinterpret_cast<std::uintptr_t>(address) | most;
  return static_cast<std::uint32_t>(bits & -bits);
}

Object<cublasLtMatmulPreference_t> new_preference(const ColumnMajorProduct& product) {
  cublasLtMatmulPreference_t created = nullptr;
  check_cublas(cublasLtMatmulPreferenceCreate(&created), "cublasLtMatmulPreferenceCreate");
  Object<cublasLtMatmulPreference_t> preference(created, cublasLtMatmulPreferenceDestroy);
  const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
    check_cublas(cublasLtMatmulPreferenceSetAttribute(created, attribute, &value, sizeof(value)),
                 "cublasLtMatmulPreferenceSetAttribute");
  };
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(cuda_workspace().bytes));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(product.first.values));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(product.second.values));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(product.result));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(product.result));
  return preference;
}

/// What the heuristic offers. Not a std::vector, since nvcc 13 fails at one of structures without a name.
struct Offers {
  static constexpr int at_most = 64;

  cublasLtMatmulHeuristicResult_t results[at_most];
  int count = 0;
};

/// An algorithm, and its place among those that the heuristic offered, from 1.
struct AlgorithmChoice {
  cublasLtMatmulAlgo_t algorithm{};
  int place = 0, of = 0;
};
using AlgorithmChoices = std::map<std::string, AlgorithmChoice>;

/// The choices so far, one for all calls that differ only in the set of operands.
AlgorithmChoices& known_choices() {
  static AlgorithmChoices choices;
  return choices;
}

/// "bf16", or "bf16>f32" with results in float.
std::string elements_text(const ColumnMajorProduct& product) {
  const std::string factors = product.element, result = product.result_element;
  return factors == result ? factors : factors + '>' + result;
}

/// A call with all that it needs.
class Matmul {
 public:
  Matmul(const ColumnMajorProduct& product, Compute compute, LtEpilogue epilogue, const EpilogueOperands& operands)
      : product_(product),
        types_(cuda_types(product.element, compute)),
        epilogue_(epilogue),
        operands_(operands),
        operation_(new_operation(types_, product, epilogue, operands)),
        first_(new_layout(types_.element, product.first, product.rows, product.inner)),
        second_(new_layout(types_.element, product.second, product.inner, product.columns)),
        result_(new_layout(cuda_element(product.result_element), product.rows, product.columns, product.leading)) {}

  /// Takes the fastest algorithm. False, with the library's reason, if it has none for this.
  bool find_algorithm(std::string& reason) {
    AlgorithmChoices& choices = known_choices();
    const auto known          = choices.find(describe());
    if (known != choices.end()) {
      choice_ = known->second;
      return true;
    }
    if (!choose(reason)) return false;
    choices.emplace(describe(), choice_);
    return true;
  }

  void run() const {
    const auto status = run(choice_.algorithm);
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error("cublasLtMatmul: " + status_text(status) + "; it was asked for " + describe());
  }

  /// "algorithm 2 of 18 (id 66, tile 20, stages 36, split-k 1)", by its place in the heuristic's order.
  std::string algorithm_text() const {
    const auto configuration = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
      std::int32_t value  = -1;
      std::size_t written = 0;
      cublasLtMatmulAlgoConfigGetAttribute(&choice_.algorithm, attribute, &value, sizeof(value), &written);
      return std::to_string(value);
    };
    return "algorithm " + std::to_string(choice_.place) + " of " + std::to_string(choice_.of) + " (id " +
           configuration(CUBLASLT_ALGO_CONFIG_ID) + ", tile " + configuration(CUBLASLT_ALGO_CONFIG_TILE_ID) +
           ", stages " + configuration(CUBLASLT_ALGO_CONFIG_STAGES_ID) + ", split-k " +
           configuration(CUBLASLT_ALGO_CONFIG_SPLITK_NUM) + ')';
  }

 private:
  cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm) const {
    const auto& [workspace, bytes] = cuda_workspace();
    const ScaleFactor alpha(types_, product_.scaling.alpha), beta(types_, product_.scaling.beta);
    return cublasLtMatmul(handle, operation_.get(), alpha.pointer(), product_.first.values, first_.get(),
                          product_.second.values, second_.get(), beta.pointer(), product_.result, result_.get(),
                          product_.result, result_.get(), &algorithm, workspace, bytes, Kokkos::Cuda().cuda_stream());
  }

  // The heuristic's own order is by its estimate, so that if time runs out the likely ones have been tried.
  bool choose(std::string& reason) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience(2);
    constexpr double hopeless     = 1.5;  // times the best so far
    const Clock::time_point start = Clock::now();
    const auto offered            = offers(reason);
    double best                   = std::numeric_limits<double>::infinity();
    for (int o = 0; o < offered->count && (choice_.place == 0 || Clock::now() - start < patience); ++o) {
      const cublasLtMatmulAlgo_t& algorithm = offered->results[o].algo;
      if (offered->results[o].state != CUBLAS_STATUS_SUCCESS) continue;
      if (const auto status = run(algorithm); status != CUBLAS_STATUS_SUCCESS) {
        reason = status_text(status);
        continue;
      }
      const double seconds = quick_seconds([&] { check_cublas(run(algorithm), "cublasLtMatmul"); }, hopeless * best);
      if (seconds >= best) continue;
      best    = seconds;
      choice_ = {algorithm, o + 1, offered->count};
    }
    return choice_.place > 0;
  }

  std::unique_ptr<Offers> offers(std::string& reason) const {
    auto offered          = std::make_unique<Offers>();
    const auto preference = new_preference(product_);
    const auto status     = cublasLtMatmulAlgoGetHeuristic(handle, operation_.get(), first_.get(), second_.get(),
                                                           result_.get(), result_.get(), preference.get(), Offers::at_most,
                                                           offered->results, &offered->count);
    reason                = status_text(status);
    if (status != CUBLAS_STATUS_SUCCESS) offered->count = 0;
    return offered;
  }

  /// In the library's terms: column-major matrices as they lie, op, and to how many bytes each is aligned.
  std::string describe() const {
    const auto& [workspace, bytes] = cuda_workspace();
    const auto& [first, second]    = std::tie(product_.first, product_.second);
    std::ostringstream text;
    text << elements_text(product_) << ',' << types_.compute_name << ',' << epilogue_.name << " of D " << product_.rows
         << 'x' << product_.columns << " ld " << product_.leading << " aligned " << alignment(product_.result) << ", k "
         << product_.inner << ", A " << (first.transposed ? 'T' : 'N') << " ld " << first.leading << " aligned "
         << alignment(first.values) << ", B " << (second.transposed ? 'T' : 'N') << " ld " << second.leading
         << " aligned " << alignment(second.values) << ", workspace of " << bytes << " bytes aligned "
         << alignment(workspace) << ", alpha " << product_.scaling.alpha << ", beta " << product_.scaling.beta;
    if (operands_.vector != nullptr) text << ", vector aligned " << alignment(operands_.vector);
    if (operands_.auxiliary != nullptr)
      text << ", auxiliary ld " << operands_.aux_leading << " aligned " << alignment(operands_.auxiliary);
    return text.str();
  }

  ColumnMajorProduct product_;
  CudaTypes types_;
  LtEpilogue epilogue_;
  EpilogueOperands operands_;
  Object<cublasLtMatmulDesc_t> operation_;
  Object<cublasLtMatrixLayout_t> first_, second_, result_;
  AlgorithmChoice choice_;
};

Call call_of(const ColumnMajorProduct& product, Compute compute, LtEpilogue epilogue,
             const EpilogueOperands& operands) {
  const auto matmul      = std::make_shared<Matmul>(product, compute, epilogue, operands);
  const std::string what = std::string(epilogue.name) + ',' + cuda_types(product.element, compute).compute_name;
  std::string reason;
  if (!matmul->find_algorithm(reason))
    return {{}, "", "it has no algorithm for " + elements_text(product) + ' ' + what + " (" + reason + ')'};
  return {[matmul] { matmul->run(); },
          "cublasLtMatmul," + what + ',' + matmul->algorithm_text() + " -> " +
              library_of(dlsym(RTLD_DEFAULT, "cublasLtMatmul")),
          ""};
}

EpilogueOperands with_auxiliary(const ColumnMajorProduct& product, const void* bias, Auxiliary saved, void* argument) {
  constexpr int bits_of_line = 128;  // that the library asks for
  if (saved == Auxiliary::argument) return {bias, argument, product.leading};
  if (saved == Auxiliary::none) return {bias};
  const std::int64_t leading = (product.rows + bits_of_line - 1) / bits_of_line * std::int64_t(bits_of_line);
  const Kokkos::View<unsigned char*, Kokkos::Cuda> mask("mask",
                                                        static_cast<std::size_t>(leading / 8 * product.columns));
  return {bias, mask.data(), leading, mask};
}

}  // namespace

Call cublaslt_product(const ColumnMajorProduct& product, Compute compute) {
  return call_of(product, compute, no_epilogue, {});
}

Call cublaslt_layer(const ColumnMajorProduct& product, Compute compute, const void* bias, const std::string& activation,
                    const SavedArgument& saved) {
  if (!product.transposed) return {{}, "", "it adds a bias to the rows of a column-major C, not to its columns"};
  const auto row = std::find_if(activation_table.begin(), activation_table.end(),
                                [&](const ActivationEpilogue& known) { return known.activation == activation; });
  if (row == activation_table.end()) return {{}, "", "it fuses no " + activation};
  if (!saved.wanted) return call_of(product, compute, row->plain, {bias});
  return call_of(product, compute, row->saving, with_auxiliary(product, bias, row->saved, saved.argument));
}

Call cublaslt_product_and_sums(const ColumnMajorProduct& product, Compute compute, bool sum_b, void* sums) {
  return call_of(product, compute, sum_b == product.transposed ? sums_of_first : sums_of_second, {sums});
}

std::string start_cublaslt(int) {
  if (handle == nullptr) check_cublas(cublasLtCreate(&handle), "cublasLtCreate");
  return "cuBLASLt " + library_version(cublasLtGetVersion()) + ", " + library_of(dlsym(RTLD_DEFAULT, "cublasLtMatmul"));
}

}  // namespace Tegula::Perf

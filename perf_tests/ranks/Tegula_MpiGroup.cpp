// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that knows of MPI.

#include <mpi.h>

#include <chrono>
#include <exception>
#include <numeric>
#include <thread>

#include "Tegula_RankGroup.hpp"

namespace Tegula::Perf {
namespace {

class MpiGroup : public RankGroup {
 public:
  MpiGroup() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
    int on_node = 0;
    MPI_Comm_rank(node, &turn_);
    MPI_Comm_size(node, &on_node);
    MPI_Comm_free(&node);
    MPI_Allreduce(&on_node, &turns_, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MpiGroup(const MpiGroup&)            = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;
  // After an exception the others would wait for this process for ever.
  ~MpiGroup() override {
    if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
  }

  int size() const override { return size_; }
  std::vector<int> own() const override { return {rank_}; }
  bool is_root() const override { return rank_ == 0; }
  int turn_of(int) const override { return turn_; }
  int turns() const override { return turns_; }

  // A barrier that spins would take a core from those who are measured.
  void meet() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int are_here = 0;;) {
      MPI_Test(&request, &are_here, MPI_STATUS_IGNORE);
      if (are_here != 0) return;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  std::vector<std::string> gather(const std::vector<std::string>& own_texts) override {
    const std::string& own = own_texts.front();
    const int own_length   = static_cast<int>(own.size());
    std::vector<int> lengths(is_root() ? static_cast<std::size_t>(size_) : 0), places(lengths.size());
    MPI_Gather(&own_length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::string all(lengths.empty() ? 0 : static_cast<std::size_t>(places.back() + lengths.back()), ' ');
    MPI_Gatherv(own.data(), own_length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0,
                MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank)
      texts.push_back(all.substr(static_cast<std::size_t>(places[rank]), static_cast<std::size_t>(lengths[rank])));
    return texts;
  }

  int agreed(int number) override {
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return number;
  }

 private:
  int rank_ = 0, size_ = 1, turn_ = 0, turns_ = 1;
};

}  // namespace

void check_that_there_is_mpi() {}

std::unique_ptr<RankGroup> mpi_group() { return std::make_unique<MpiGroup>(); }

}  // namespace Tegula::Perf

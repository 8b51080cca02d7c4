// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TuneDevices.hpp"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_RankOptions.hpp"
#include "Tegula_RankProcess.hpp"

namespace Tegula::Perf {
namespace {

const std::string option = "--devices";

/// The value of the option, which is taken out of the arguments.
std::optional<std::string> take_devices(std::vector<std::string>& arguments) {
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (argument->starts_with(option + '=')) {
      const std::string value = argument->substr(option.size() + 1);
      arguments.erase(argument);
      return value;
    }
    if (*argument != option) continue;
    if (argument + 1 == arguments.end()) throw std::invalid_argument(option + " has no value");
    const std::string value = *(argument + 1);
    arguments.erase(argument, argument + 2);
    return value;
  }
  return std::nullopt;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

std::unique_ptr<RankProcess> start(std::vector<std::string> arguments, const std::string& device, std::size_t number,
                                   std::size_t count) {
  arguments.insert(arguments.end(), {"--part", std::to_string(number) + '/' + std::to_string(count)});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return std::make_unique<RankProcess>(argv.data(), std::map<std::string, std::string>{{"KOKKOS_DEVICE_ID", device}},
                                       WorkerOutput::kept);
}

}  // namespace

std::optional<int> run_on_devices(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc), kokkos_flags;
  const auto list = take_devices(arguments);
  if (!list) return std::nullopt;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--part")) throw std::invalid_argument(option + " makes the parts; --part contradicts it");
    if (argument.starts_with("--kokkos-")) kokkos_flags.push_back(argument);
  }
  const auto devices = devices_named(split(*list), kokkos_flags, visible_devices);
  std::signal(SIGINT, SIG_IGN);  // the others end, and then this one
  std::vector<std::unique_ptr<RankProcess>> processes;
  for (const std::string& device : devices)
    processes.push_back(start(arguments, device, processes.size() + 1, devices.size()));
  int exit_code = 0;
  for (std::size_t number = 0; number < processes.size(); ++number) {
    constexpr double without_end = 1e9;
    processes[number]->end(without_end);
    const std::string& failure = processes[number]->failure();
    if (failure.empty()) continue;
    const bool is_interrupted = failure == "ended with exit code 130";
    exit_code                 = is_interrupted || exit_code == 130 ? 130 : 1;
    // At once: the other processes write there, too.
    if (!is_interrupted) std::cerr << "device " + devices[number] + ": " + failure + '\n';
  }
  return exit_code;
}

}  // namespace Tegula::Perf

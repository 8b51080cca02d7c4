# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Trains twice with one seed, once without graphs and once with another seed, and checks what the loss curves say:
#   cmake -DPROGRAM=tegula_train_mlp -DDATA=directory -DPRECISION=float -P CheckTraining.cmake

function(train name seed)
  execute_process(
    COMMAND ${PROGRAM} --data ${DATA} --type ${PRECISION} --seed ${seed} --hidden 24 17 --batch 64 --epochs 12
            --csv ${PRECISION}_${name}.csv --svg ${PRECISION}_${name}.svg ${ARGN}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "exit code ${result}, expected 0")
  endif()
endfunction()

train(first 1)
train(second 1)
train(third 2)
train(without_graphs 1 --no-graph)
file(READ ${PRECISION}_first.csv first)
file(READ ${PRECISION}_second.csv second)
file(READ ${PRECISION}_third.csv third)
file(READ ${PRECISION}_without_graphs.csv without_graphs)
if(NOT first STREQUAL second)
  message(FATAL_ERROR "two runs with one seed differ:\n${first}\n${second}")
endif()
if(NOT first STREQUAL without_graphs)
  message(FATAL_ERROR "a run without graphs differs:\n${first}\n${without_graphs}")
endif()
if(first STREQUAL third)
  message(FATAL_ERROR "two runs with different seeds are equal:\n${first}")
endif()

# One line per epoch: epoch,train_loss,train_accuracy,test_loss,test_accuracy
file(STRINGS ${PRECISION}_first.csv lines)
list(LENGTH lines line_count)
if(NOT line_count EQUAL 13)
  message(FATAL_ERROR "expected a header and 12 epochs, found ${line_count} lines:\n${first}")
endif()
list(GET lines 1 begin)
list(GET lines 12 end)
string(REPLACE "," ";" begin "${begin}")
string(REPLACE "," ";" end "${end}")
foreach(column 1 3)
  list(GET begin ${column} loss_at_first)
  list(GET end ${column} loss_at_last)
  if(NOT loss_at_last LESS loss_at_first)
    message(FATAL_ERROR "a loss rises from ${loss_at_first} to ${loss_at_last}")
  endif()
endforeach()
list(GET end 4 accuracy)
if(NOT accuracy GREATER 0.9)
  message(FATAL_ERROR "the test accuracy is ${accuracy}, expected more than 0.9")
endif()

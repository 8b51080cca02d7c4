# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tuning_files.py: what entries say, how files merge, and that what the library refuses is refused."""

import json
import unittest

import made_up
import tuning_files
from made_up import host_way, tuned, tuned_backward, tuned_call, tuning, way
from result_files import ResultError


class TuningFilesTest(made_up.FilesTest):
    def read(self, *entries):
        return tuning_files.read([self.write("tuning.json", tuning(*entries))])

    def one(self, *arguments, **fields):
        (entry,) = self.read(tuned(*arguments, **fields))
        return entry

    def error(self, contents):
        path = self.write("tuning.json", contents)
        with self.assertRaises(ResultError) as caught:
            tuning_files.read([path])
        self.assertTrue(str(caught.exception).startswith(path), caught.exception)
        return str(caught.exception)[len(path) :]

    def error_of(self, **fields):
        """What is wrong with the second of two entries."""
        return self.error(tuning(tuned(tuned_call(8)), {**tuned(tuned_call(9)), **fields}))

    def test_an_entry_of_a_gpu(self):
        entry = self.one(tuned_call(128, 10, 256), 1.5, 4e-6, way("8x8x128", 2, "direct"), predicted=5e-6)
        self.assertEqual(entry.device, ("NVIDIA H200", "Cuda, 132 multiprocessors, 140 GiB"))
        self.assertEqual(entry.call, "gemm float, 128 x 10 x 256, bias, relu")
        self.assertEqual(entry.flops, 2 * 128 * 10 * 256)
        self.assertEqual((entry.way, entry.model_way), ("direct 8x8x128/2", "simt 64x64x32/1"))
        self.assertEqual((entry.seconds, entry.model_seconds, entry.predicted), (4e-6, 6e-6, 5e-6))
        self.assertEqual((entry.gain, entry.stayed, entry.ways), (1.5, False, 40))
        self.assertTrue(self.one(tuned_call(128)).stayed)

    def test_an_entry_of_a_host(self):
        gradients = {"dA": host_way(), "dB": host_way("packs_left", "transposed", threads=1)}
        entry = self.one(
            tuned_backward(64), 2, tuned_way={"block_bytes": 49152}, model_way=gradients, device=made_up.HOST
        )
        self.assertEqual(entry.device, ("AMD EPYC 9B14", "OpenMP, avx512, 2 threads"))
        self.assertEqual(entry.call, "gemm_backward float, 64 cube, relu")
        self.assertEqual(entry.way, "gradients together in blocks of 49152 bytes")
        self.assertEqual(
            entry.model_way,
            "dA host 512x1024x256/1 by 2 threads; dB host 512x1024x256/1 by 1 thread transposed packs_left",
        )
        self.assertEqual(self.one(tuned_call(8), model_way={}).model_way, "the planner's own")

    def test_ways_that_are_the_same_in_other_words(self):
        ways = [host_way(*flags) for flags in (("inner", "packs_left"), ("packs_left", "inner"), ("inner",))]
        stayed = [self.one(tuned_call(8), tuned_way=some, model_way=ways[0]).stayed for some in ways]
        self.assertEqual(stayed, [True, True, False])

    def test_flops_are_those_of_the_products(self):
        def without(*left_out):
            return {key: value for key, value in tuned_backward(10, 20, 30).items() if key not in left_out}

        for call, flops in (
            (tuned_call(10, 20, 30), 12000),
            (tuned_backward(10, 20, 30), 24000),
            (without("dA"), 12000),
            (without("dA", "dB"), 0),
            (tuned_call(10, 20, 0), 0),
        ):
            self.assertEqual(self.one(call).flops, flops)

    def test_calls_in_words(self):
        def words(call):
            return self.one(call).call

        plain = {key: value for key, value in tuned_call(64).items() if key not in ("bias", "activation")}
        self.assertEqual(words(plain), "gemm float, 64 cube, plain")
        factors = {"beta": "one", "alpha": "other"}
        self.assertEqual(words({**plain, **factors}), "gemm float, 64 cube, plain, alpha other, beta one")
        self.assertEqual(words({**plain, "compute": "tf32"}), "gemm float, tf32, 64 cube, plain")
        self.assertEqual(
            words(tuned_call(64, A="bf16 right 16", B="bf16 left 16")),
            "gemm A and B bhalf_t, C and bias float, 64 cube, B left, bias, relu",
        )
        self.assertEqual(
            words(tuned_call(64, A="f32 left 8", C="f32 left 8", bias="f32 right 4", Z="f32 left_out")),
            "gemm float, 64 cube, A and C left, bias right, A and C on 8 bytes, bias on 4 bytes, bias, relu",
        )
        matrices = ("dC", "A", "B", "saved", "dA", "dB")
        self.assertEqual(
            words(tuned_backward(64, **dict.fromkeys(matrices, "f16 left 4"), dbias="f16 vector 2")),
            "gemm_backward half_t, 64 cube, all left, all on 4 bytes, dbias on 2 bytes, relu",
        )
        self.assertEqual(words(tuned_call(64, bias="f32 vector 8")), "gemm float, 64 cube, bias on 8 bytes, bias, relu")
        self.assertEqual(words(tuned_call(64, Z="f32 right 16")), "gemm float, 64 cube, bias, Z kept, relu")
        accumulating = {key: value for key, value in tuned_backward(64).items() if key != "dA"}
        self.assertEqual(
            words({**accumulating, "update_dB": "accumulate", "update_dbias": "overwrite"}),
            "gemm_backward float, 64 cube, relu, without dA, added to dB",
        )

    def test_files_merge(self):
        gpu, host = tuned(tuned_call(8)), tuned(tuned_call(8), device=made_up.HOST)
        older, again = tuned(tuned_call(8), version="0.0.9"), tuned(tuned_call(8), 3.0)
        files = [tuning(gpu, tuned(tuned_call(9))), tuning(), tuning(host, older), tuning(again)]
        entries = tuning_files.read([self.write(f"{place}.json", some) for place, some in enumerate(files)])
        self.assertEqual(len(entries), 4)
        self.assertEqual([entry.gain for entry in entries], [3.0, 1.0, 1.0, 1.0])  # the last file's
        self.assertEqual(len({(entry.device, entry.version) for entry in entries}), 3)
        self.assertIn("there are no entries", self.error(tuning()))

    def test_equal_calls_are_one_and_others_are_not(self):
        call = tuned_call(8)
        self.assertEqual(len(self.read(tuned(call), tuned({**call, "beta": "zero", "Z": "f32 left_out"}))), 1)
        for fields in ({"beta": "one"}, {"A": "f32 right"}, {"A": "f32 left 16"}, {"m": 9}, {"compute": "tf32"}):
            self.assertEqual(len(self.read(tuned(call), tuned({**call, **fields}))), 2, fields)
        backward = tuned_backward(8)
        without_saved = {key: value for key, value in backward.items() if key != "saved"}
        for other in ({**backward, "update_dA": "accumulate"}, without_saved):
            self.assertEqual(len(self.read(tuned(backward), tuned(other))), 2)

    def test_damaged_and_foreign_files(self):
        whole = json.dumps(tuning(tuned(tuned_call(8))))
        self.assertIn("line 1", self.error(whole[: len(whole) // 2]))
        self.assertIn("line 1", self.error(""))
        self.assertIn("NaN is no figure", self.error(whole.replace("1e-05", "NaN", 1)))
        self.assertIn('"m" is there twice', self.error(whole.replace('"n":', '"m":', 1)))
        self.assertIn("surrogates not allowed", self.error(whole.replace("abc1234", "\\ud800")))
        for foreign in ("[]", "3", made_up.results([made_up.row(8)])):
            self.assertIn("is no file that tegula_tune wrote", self.error(foreign))
        self.assertIn("its format is 2, not 1", self.error({**tuning(), "tegula_tuning": 2}))
        self.assertIn('"tegula_tuning" of the file is "1"', self.error({**tuning(), "tegula_tuning": "1"}))
        self.assertIn('the file has "more", which is none of', self.error({**tuning(), "more": 1}))
        self.assertIn('"entries" of the file is {}', self.error({**tuning(), "entries": {}}))
        self.assertIn('the file has no "entries"', self.error({"tegula_tuning": 1}))
        self.assertIn("entry 1 is no object", self.error(tuning(5)))
        self.assertIn("recursion", self.error("[" * 100000))
        with self.assertRaisesRegex(ResultError, "absent.json: No such file"):
            tuning_files.read([self.folder / "absent.json"])
        (self.folder / "bytes.json").write_bytes(b"\xff\xfe")
        with self.assertRaisesRegex(ResultError, "bytes.json: "):
            tuning_files.read([self.folder / "bytes.json"])

    def test_figures_that_are_missing_or_wrong(self):
        for field in tuned(tuned_call(8)):
            entry = {key: value for key, value in tuned(tuned_call(8)).items() if key != field}
            self.assertIn(f'entry 1 has no "{field}"', self.error(tuning(entry)))
        for fields, message in (
            ({"second": 1}, 'entry 2 has "second", which is none of version, '),
            ({"seconds": 0}, '"seconds" of entry 2 is 0, not from 1e-09 to 100000'),
            ({"model_seconds": -1}, '"model_seconds" of entry 2 is -1, not from'),
            ({"model_seconds": 2e5}, '"model_seconds" of entry 2 is 200000.0, not from'),
            ({"predicted": -1e-6}, '"predicted" of entry 2 is -1e-06, not from 0'),
            ({"seconds": 10**400}, '"seconds" of entry 2 is 1000'),
            ({"seconds": True}, '"seconds" of entry 2 is true'),
            ({"ways": 0}, '"ways" of entry 2 is 0, not from 1'),
            ({"ways": 1.5}, '"ways" of entry 2 is 1.5, no integer'),
            ({"version": 1}, '"version" of entry 2 is 1'),
        ):
            self.assertIn(message, self.error_of(**fields))
        self.assertEqual(self.one(tuned_call(8), predicted=0).predicted, 0)

    def test_devices_calls_and_ways_that_are_wrong(self):
        def of_device(**fields):
            return self.error_of(device={**made_up.GPU, **fields})

        self.assertIn('the device of entry 2 has "cores", which', of_device(cores=1))
        self.assertIn('"multiprocessors" of the device of entry 2 is 0', of_device(multiprocessors=0))
        host = {key: value for key, value in made_up.HOST.items() if key != "threads"}
        self.assertIn('the device of entry 2 has no "threads"', self.error_of(device=host))

        for fields, message in (
            ({"function": "gemv"}, '"function" of the call of entry 2 is "gemv", none of gemm, gemm_backward'),
            ({"m": -1}, '"m" of the call of entry 2 is -1, not from 0'),
            ({"dA": "f32 right 16"}, 'the call of entry 2 has "dA", which is none of'),
            ({"update_dA": "overwrite"}, 'the call of entry 2 has "update_dA", which'),
            ({"C": "f32 left_out"}, 'the call of entry 2 has no "C"'),
            ({"A": "f8 right 16"}, '"A" of the call of entry 2 is "f8", none of f64, f32, f16, bf16'),
            ({"A": "f32 up 16"}, '"A" of the call of entry 2 is "up", none of'),
            ({"A": "f32 right 3"}, 'the alignment in "A" of the call of entry 2 is "3", none of 2, 4, 8, 16'),
            ({"A": "f32"}, '"A" of the call of entry 2 is "f32", not such as'),
            ({"A": 32}, '"A" of the call of entry 2 is 32'),
            ({"activation": "relo"}, '"activation" of the call of entry 2 is "relo", none of identity'),
            ({"beta": 1}, '"beta" of the call of entry 2 is 1'),
        ):
            self.assertIn(message, self.error_of(call={**tuned_call(9), **fields}))

        for some, message in (
            (way("64x64"), '"tile" of "way" of entry 2 is "64x64", not such as 64x128x16'),
            (way("64x0x64"), '"64x0x64", not such as'),
            (way("64x64x9999999"), '"64x64x9999999", not such as'),
            (way(split_k=0), '"split_k" of "way" of entry 2 is 0, not from 1'),
            (way(family=""), '"family" of "way" of entry 2 is empty'),
            (way(threads=2), '"way" of entry 2 has no "kind"'),
            (host_way("sideways"), '"kind" of "way" of entry 2 is "sideways", none of transposed'),
            (way(speed=2), '"way" of entry 2 has "speed", which'),
            ({"dC": way()}, '"way" of entry 2 has "dC", which'),
            ({"dA": 1}, '"dA" of "way" of entry 2 is no object'),
            ({"dA": {}}, 'dA of "way" of entry 2 has no "family"'),
            ({"block_bytes": 0}, '"block_bytes" of "way" of entry 2 is 0'),
        ):
            self.assertIn(message, self.error_of(way=some))
        self.assertIn('"tile" of "model_way" of entry 2', self.error_of(model_way=way("8")))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tegula_tile_order, which the variable TEGULA_TILE_ORDER names, and of the pictures of what it prints."""

import os
import unittest

import result_files
import tile_order

TOOL = os.environ.get("TEGULA_TILE_ORDER", "")


def setUpModule():
    if not TOOL:
        raise unittest.SkipTest("TEGULA_TILE_ORDER names no tegula_tile_order")


def plan(text):
    return tile_order.orders(TOOL, text.split())


def lines_of(text):
    return [line.split() for line in text]


class TileOrderTest(unittest.TestCase):
    def test_the_example_of_90_and_54_blocks(self):
        found = plan("1152 1152 1152 128 128 128 3 9")
        self.assertEqual((found["rows"], found["columns"], found["k_blocks"], found["best_group"]), (9, 9, 9, 3))
        row_major, grouped = found["row_major"], found["grouped"]
        self.assertEqual((row_major["first_wave_blocks"], grouped["first_wave_blocks"]), (90, 54))
        self.assertEqual((row_major["blocks"], grouped["blocks"]), (9 * 90, 9 * 54))
        self.assertEqual((row_major["row_loads"], row_major["column_loads"]), ([1] * 9, [9] * 9))
        self.assertEqual((grouped["row_loads"], grouped["column_loads"]), ([3] * 9, [3] * 9))
        self.assertIn("1.67 times as many blocks in row-major order", tile_order.words(found))
        self.assertIn("A are loaded by 1 waves, columns of B by 9.", tile_order.pictures(found)[0].caption)

    def test_the_order_is_that_of_the_header(self):
        found = plan("3 4 1 1 1 1 2 12")
        self.assertEqual(found["row_major"]["ranks"], list(range(12)))
        self.assertEqual(found["grouped"]["ranks"], [0, 2, 4, 6, 1, 3, 5, 7, 8, 9, 10, 11])

    def test_group_0_is_the_best(self):
        found = plan("1152 1152 1152 128 128 128 0 9")
        self.assertEqual(found["grouped"]["group"], 3)

    def test_loads_are_those_of_waves(self):
        for text in ("1000 700 300 128 64 32 3 7", "130 1000 64 64 64 64 5 132", "512 512 1 64 64 64 8 1"):
            found = plan(text)
            for order in (found["row_major"], found["grouped"]):
                waves = {}
                for place, rank in enumerate(order["ranks"]):
                    waves.setdefault(rank // found["teams"], []).append(divmod(place, found["columns"]))
                for name, axis in (("row_loads", 0), ("column_loads", 1)):
                    lines = [{tile[axis] for tile in wave} for wave in waves.values()]
                    counts = [sum(line in some for some in lines) for line in range(len(order[name]))]
                    self.assertEqual(order[name], counts, (text, name))
                first = sum(len({tile[axis] for tile in waves[0]}) for axis in (0, 1))
                self.assertEqual(order["first_wave_blocks"], first * found["k_blocks"])
                self.assertEqual(order["blocks"], sum(order["row_loads"] + order["column_loads"]) * found["k_blocks"])

    def test_what_is_no_plan_is_an_error(self):
        for text, message in (
            ("0 1 1 1 1 1 1 1", "m: "),
            ("8 8 8 x 1 1 1 1", "tile_m"),
            ("8 8 8 1 1 1 1 0", "teams"),
            ("100000 100000 1 1 1 1 1 1", "100000 x 100000 tiles, more than 4096"),
        ):
            with self.assertRaisesRegex(result_files.ResultError, message):
                plan(text)

    def test_pictures_show_what_runs_together(self):
        found = plan("1152 1152 1152 128 128 128 3 9")
        for picture, order in zip(tile_order.pictures(found), (found["row_major"], found["grouped"])):
            boxes, numbers = lines_of(picture.data["boxes"]), lines_of(picture.data["numbers"])
            self.assertEqual(len(boxes), 81 + 9 + 9)
            self.assertEqual([int(number[2]) for number in numbers[:81]], order["ranks"])
            self.assertEqual([int(number[2]) for number in numbers[81:]], order["row_loads"] + order["column_loads"])
            first = [place for place, box in enumerate(boxes) if int(box[6]) == int(tile_order.FIRST_WAVE[1:], 16)]
            self.assertEqual(sorted(order["ranks"][place] for place in first), list(range(9)))
            left, right, bottom, top = map(float, boxes[11][2:6])  # of the second row, third column
            self.assertEqual((left, right, bottom, top), (2, 3, -2, -1))

    def test_small_tiles_have_no_numbers_and_are_drawn_by_waves(self):
        found = plan("64 64 1 1 1 1 8 132")
        for picture, order in zip(tile_order.pictures(found), (found["row_major"], found["grouped"])):
            self.assertNotIn("numbers", picture.data)
            colours = {}
            for box in lines_of(picture.data["boxes"])[:-128]:
                left, right, bottom, top = (round(float(text)) for text in box[2:6])
                self.assertEqual(top - bottom, 1)
                colours.update({(-top, column): int(box[6]) for column in range(left, right)})
            wanted = [int(tile_order.wave_colour(rank // 132)[1:], 16) for rank in order["ranks"]]
            self.assertEqual([colours[divmod(place, 64)] for place in range(64 * 64)], wanted)


if __name__ == "__main__":
    unittest.main()

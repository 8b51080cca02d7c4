# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are whole or not there."""

import os
import pathlib


def write_whole(path, text):
    """Writes beside the file and renames, so that nobody sees half of it."""
    path = pathlib.Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the numbers of a family stand in headers, read and written."""

import numpy as np

import headers
from families import FAMILIES


def with_numbers(text, family, groups):
    """The text of a header with these numbers of a family."""
    for rates, model, configs in family.constants:
        if rates:
            rows = np.transpose([groups[name] for name in family.kind.rows])[configs]
            text = headers.with_rows(text, rates, rows)
        text = headers.with_fields(text, model, {name: groups[name] for name in family.kind.fields})
    return text


def write(kernels, numbers):
    """`numbers`: of each family by its key, by group."""
    for family in FAMILIES:
        path = kernels / family.header
        headers.write(path, with_numbers(path.read_text(encoding="utf-8"), family, numbers[family.key]))


def numbers_in(text, family):
    """The numbers of a family in its header, by group."""
    rows = []
    for rates, model, _ in family.constants:
        rows += headers.rows_in(text, rates) if rates else []
        fields = headers.fields_in(text, model, family.kind.fields)
    return {**dict(zip(family.kind.rows, np.transpose(rows))), **fields}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the numbers of a family stand in headers, read and written."""

import numpy as np

import headers
from families import FAMILIES


def in_rows(numbers, count):
    """The numbers of a group, so many a row."""
    return numbers if count == 1 else np.reshape(numbers, (-1, count))


def with_numbers(text, family, groups):
    """The text of a header with these numbers of a family."""
    for rates, model, configs in family.constants:
        if rates:
            rows = zip(*(in_rows(groups[name], len(start)) for name, start in family.kind.rows.items()))
            text = headers.with_rows(text, rates, list(rows)[configs])
        if model:
            text = headers.with_fields(text, model, {name: groups[name] for name in family.kind.fields})
    return text


def write(kernels, numbers):
    """`numbers`: by group, of families by their keys; the headers of others stay as they are."""
    for family in FAMILIES:
        if family.key not in numbers:
            continue
        path = kernels / family.header
        headers.write(path, with_numbers(path.read_text(encoding="utf-8"), family, numbers[family.key]))


def numbers_in(text, family):
    """The numbers of a family in its header, by group."""
    rows, fields = [], {}
    for rates, model, _ in family.constants:
        rows += headers.rows_in(text, rates) if rates else []
        fields = headers.fields_in(text, model, family.kind.fields) if model else fields
    ends = np.cumsum([len(start) for start in family.kind.rows.values()])
    columns = np.split(np.array(rows), ends[:-1], axis=1) if rows else []
    return {**{name: column.ravel() for name, column in zip(family.kind.rows, columns)}, **fields}

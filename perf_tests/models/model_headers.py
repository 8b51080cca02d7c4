# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the numbers of a family stand in headers, read and written."""

import numpy as np

import headers
from families import FAMILIES


def write(kernels, numbers):
    """`numbers`: of each family by its key, by group."""
    for family in FAMILIES:
        path, groups = kernels / family.header, numbers[family.key]
        text = path.read_text(encoding="utf-8")
        for rates, model, configs in family.constants:
            if rates:
                text = headers.with_rows(text, rates, np.transpose([groups[name] for name in family.kind.rows])[configs])
            text = headers.with_fields(text, model, {name: groups[name] for name in family.kind.fields})
        headers.write(path, text)


def read(kernels, family):
    """The numbers of a family by group."""
    text = (kernels / family.header).read_text(encoding="utf-8")
    rows = []
    for rates, model, _ in family.constants:
        rows += headers.rows_in(text, rates) if rates else []
        fields = headers.fields_in(text, model, family.kind.fields)
    return {**dict(zip(family.kind.rows, np.transpose(rows))), **fields}

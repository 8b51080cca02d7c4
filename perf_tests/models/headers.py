# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of models in headers of C++: read, and written in place of those that are there. All else in a header
belongs to who writes C++.

  inline constexpr std::array mma_half_rates{TileRates{0.561, 0.578, 8310, 32.4}, ...};      a row a configuration
  inline constexpr std::array simt_rates{TileRates{0.5, 0.7, 8310, 32.4, {1, 0.9, 0.9, 0.8}}, ...};  the same with a group
  inline constexpr TileModel mma_half_model{.fetched = {0.1, 0.2}, .memory = 0.52};          fields with names
"""

import re
import subprocess

import numpy as np

NUMBER = r"[-+.\deE]+"


def text_of(value):
    """Three digits."""
    return f"{float(f'{value:.3g}'):g}"


def replaced(text, pattern, name, change):
    """The text with group 1 of its one match of a pattern changed."""
    matches = list(re.finditer(pattern, text, re.DOTALL))
    if len(matches) != 1:
        raise ValueError(f"{name} is there {len(matches)} times, not once")
    begin, end = matches[0].span(1)
    return text[:begin] + change(text[begin:end]) + text[end:]


def definition(name):
    """Matches what stands in the braces of a constant."""
    words = r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", name)))
    return rf"[\s&]{words}\s*\{{([^;]*)\}};"


def field(name):
    return rf"\.{name}\s*=\s*(\{{[^{{}}]*\}}|{NUMBER})"


def braced(numbers):
    return "{" + ", ".join(text_of(n) if np.isscalar(n) else braced(n) for n in numbers) + "}"


def with_rows(text, name, rows):
    """`rows`: numbers, and lists of them, of which each is a group in braces."""

    def change(body):
        kind = re.match(r"\s*(\w+)\s*\{", body).group(1)
        return ", ".join(kind + braced(row) for row in rows)

    return replaced(text, definition(name), name, change)


def with_fields(text, name, fields):
    def change(body):
        for key, numbers in fields.items():
            number = text_of(numbers[0])
            body = replaced(
                body, field(key), f"{name}.{key}", lambda old: braced(numbers) if old.startswith("{") else number
            )
        return body

    return replaced(text, definition(name), name, change)


def body_of(text, name):
    found = []
    replaced(text, definition(name), name, lambda body: found.append(body) or body)
    return found[0]


def numbers_in(text):
    return [float(number) for number in re.findall(rf"(?<![\w.]){NUMBER}", text) if re.search(r"\d", number)]


def rows_in(text, name):
    return [numbers_in(row) for row in re.split(r"[A-Za-z]\w*\s*\{", body_of(text, name))[1:]]


def fields_in(text, name, keys):
    body = body_of(text, name)
    found = {}
    for key in keys:
        replaced(body, field(key), f"{name}.{key}", lambda old, key=key: found.setdefault(key, numbers_in(old)) and old)
    return found


def write(path, text):
    path.write_text(text, encoding="utf-8")
    # In a folder without the project's style nothing is formatted, rather than by another one.
    subprocess.run(["clang-format", "-i", "--fallback-style=none", str(path)], check=True)

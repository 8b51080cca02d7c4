# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HTML: sections, tables and figures of a page that needs no other file."""

import dataclasses
import html
import pathlib

import gnuplot

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="tegula_report">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""


WIDE = 500  # pixels; wider plots take two columns where there are


@dataclasses.dataclass
class Section:
    """A part of the page below its heading: text, plots, what stands beside them where there is room, and behind them;
    all but the plots is HTML."""

    title: str
    body: str
    plots: list = dataclasses.field(default_factory=list)
    beside: str = ""
    behind: str = ""

    @property
    def anchor(self):
        return self.title.lower().replace(" ", "-")


def escaped(text):
    return html.escape(str(text), quote=False)


def paragraph(text):
    return f"<p>{escaped(text)}</p>\n"


@dataclasses.dataclass
class Cell:
    """Text with a class: "t" stands on the left, "w" may be broken, "l" is a loss."""

    text: str
    kind: str = ""


def cell(value):
    value = value if isinstance(value, Cell) else Cell(value)
    attribute = f' class="{value.kind}"' if " " in value.kind else f" class={value.kind}" if value.kind else ""
    return f"<td{attribute}>{escaped(value.text)}"


def line(row, width):
    """A row, or the heading of those that follow."""
    if isinstance(row, str):
        return f'<tr><th class="t h" colspan={width}>{escaped(row)}'
    return "<tr>" + "".join(map(cell, row))


def table(head, rows):
    """Rows are lists of cells, or headings of those that follow. Columns of text are those of the first row. End tags
    that HTML does without are left out, since there are many."""
    rows = list(rows)
    first = next((row for row in rows if not isinstance(row, str)), [])
    is_text = (isinstance(value, Cell) and "t" in value.kind.split() for value in first)
    titles = (f"<th{' class=t' if left else ''}>{escaped(title)}" for title, left in zip(head, is_text))
    lines = [line(row, len(head)) for row in rows]
    return "\n".join(["<div class=scroll><table><thead><tr>" + "".join(titles) + "<tbody>", *lines, "</table></div>\n"])


def details(title, body):
    return f"<details><summary>{escaped(title)}</summary>\n{body}</details>\n"


def figures(plots, folder, prefix):
    """The plots, read from their files, with links to those."""
    if not plots:
        return ""
    parts = ['<div class="plots">']
    for number, plot in enumerate(plots):
        svg = gnuplot.inline((folder / f"{plot.name}.svg").read_text(encoding="utf-8"), plot, f"{prefix}{number}_")
        links = " ".join(f'<a href="plots/{plot.name}.{kind}">{kind.upper()}</a>' for kind in gnuplot.TERMINALS)
        kind = ' class="wide"' if plot.width > WIDE else ""
        parts.append(f"<figure{kind}>{svg}<figcaption>{escaped(plot.caption)} {links}</figcaption></figure>")
    return "\n".join([*parts, "</div>\n"])


def page(title, introduction, sections, folder):
    """The whole page; `folder` has the files of the plots."""
    style = (pathlib.Path(__file__).resolve().parent / "page.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="#{section.anchor}">{escaped(section.title)}</a> ' for section in sections)
    parts = [HEAD.format(title=escaped(title), style=style), f"<h1>{escaped(title)}</h1>\n", introduction]
    parts.append(f"<nav>{links}</nav>\n")
    for number, section in enumerate(sections):
        parts.append(f'<h2 id="{section.anchor}">{escaped(section.title)}</h2>\n{section.body}')
        drawn = figures(section.plots, folder, f"p{number}_")
        pair = f'<div class="pair">\n<div>{drawn}</div>\n<div>{section.beside}</div>\n</div>\n'
        parts += [pair if section.beside else drawn, section.behind]
    return "".join([*parts, "</body>\n</html>\n"])

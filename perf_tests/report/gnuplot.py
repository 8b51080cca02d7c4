# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots by gnuplot, each as an SVG and a PNG file, and SVG that can stand in a page."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from result_files import ResultError

# Okabe and Ito's colours, which those who do not see all colours tell apart, with markers that tell them apart in grey.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
MARKERS = (7, 9, 5, 13, 11, 15, 6)

TERMINALS = {
    "svg": 'svg size {width},{height} dynamic enhanced font "sans-serif,13" background "#ffffff"',
    "png": 'pngcairo size {wide},{high} enhanced font "sans-serif,13" fontscale 0.95 linewidth 1.25 pointscale 1.25',
}


@dataclasses.dataclass
class Plot:
    """A picture: `script` are lines of gnuplot that plot `data`, named blocks of lines."""

    name: str
    title: str
    caption: str
    script: list
    data: dict
    width: int = 480
    height: int = 400


def style(index):
    """Colour and marker of a series."""
    return f'pt {MARKERS[index % len(MARKERS)]} lc rgb "{COLOURS[index % len(COLOURS)]}"'


def quoted(text):
    """Text in gnuplot's quotes, as its enhanced mode shows it."""
    return '"' + escaped(text) + '"'


def bold(text):
    return '"{/:Bold ' + escaped(text) + '}"'


def escaped(text):
    """Text that enhanced mode shows as it is. gnuplot would run what stands in backquotes as a command, and puts & into
    SVG as it is, which is no XML."""
    text = re.sub(r"[\x00-\x1f]", " ", text).replace("&", "+")
    text = text.translate(str.maketrans({"\\": "/", '"': "'", "`": "'"}))
    return re.sub(r"([_^{}@~])", r"\\\\\1", text)


def script_of(plots, kind, folder):
    """All plots of a kind: gnuplot is started once for them."""
    for plot in plots:
        sizes = {"width": plot.width, "height": plot.height, "wide": 5 * plot.width // 4, "high": 5 * plot.height // 4}
        yield "reset session"
        yield f"set terminal {TERMINALS[kind].format(**sizes)}"
        yield f"set output '{str(folder / plot.name).replace(chr(39), chr(39) * 2)}.{kind}'"
        for name, lines in plot.data.items():
            yield from (f"${name} << EOD", *lines, "EOD")
        yield from plot.script
    yield "set output"


def draw(plots, folder):
    """Writes an SVG and a PNG file of each plot. PNG takes most of the time, so that several processes share it."""
    program = shutil.which("gnuplot")
    if program is None:
        raise ResultError("there is no gnuplot, which draws the plots (Debian: gnuplot-nox)")
    shares = min(8, os.cpu_count() or 1, len(plots))
    jobs = [("png", plots[first::shares]) for first in range(shares)] + [("svg", plots)]
    with tempfile.TemporaryDirectory() as scripts:
        started = []
        for number, (kind, some) in enumerate(jobs):
            # Not through a pipe, which would be full until all is drawn.
            script = pathlib.Path(scripts) / f"{number}.gp"
            script.write_text("\n".join(script_of(some, kind, folder)) + "\n", encoding="utf-8")
            started.append(subprocess.Popen([program, script], stderr=subprocess.PIPE, text=True))
        results = [(process.communicate()[1], process.returncode) for process in started]
    for errors, code in results:
        if code != 0:
            raise ResultError(f"gnuplot failed: {errors.strip()}")


def hexadecimal(colour):
    return "#" + "".join(f"{int(part):02x}" for part in colour.group(1).split(","))


def inline(svg, plot, prefix):
    """The SVG as a part of a page: names that begin with `prefix`, and no more text than it takes."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<title>.*?</title>|<desc>.*?</desc>|<!--.*?-->|<filter.*?</filter>", "", body, flags=re.S)
    label = re.sub(r"[<>&\"]", "", plot.title)
    opening = f'<svg viewBox="0 0 {plot.width} {plot.height}" role="img" aria-label="{label}">'
    body = re.sub(r"<svg.*?>", opening, body, count=1, flags=re.S)
    body = re.sub(r"<g [^<>]*>\s*</g>", "", body)
    body = re.sub(r"rgb\(([ 0-9,]+)\)", hexadecimal, body).replace("xlink:href", "href")
    body = re.sub(r"\bid=(['\"])(?:gp)?", rf"id=\1{prefix}", body)
    body = re.sub(r"href=(['\"])#(?:gp)?", rf"href=\1#{prefix}", body)
    body = re.sub(r"url\(#(?:gp)?", f"url(#{prefix}", body)
    return re.sub(r"\s*\n\s*", "\n", body)

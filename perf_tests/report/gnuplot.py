# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots by gnuplot, each as an SVG and a PNG file, and SVG that can stand in a page."""

import dataclasses
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
    """All these plots of a kind: gnuplot is started once for them."""
    for plot in plots:
        sizes = {"width": plot.width, "height": plot.height, "wide": 5 * plot.width // 4, "high": 5 * plot.height // 4}
        yield "reset session"
        yield f"set terminal {TERMINALS[kind].format(**sizes)}"
        yield f"set output '{str(folder / plot.name).replace(chr(39), chr(39) * 2)}.{kind}'"
        for name, lines in plot.data.items():
            yield from (f"${name} << EOD", *lines, "EOD")
        yield from plot.script
    yield "set output"


class Drawing:
    """gnuplot at work: an SVG and a PNG file of each plot is drawn while more plots are made. PNG takes most of the
    time."""

    def __init__(self, folder):
        self.folder = folder
        self.program = shutil.which("gnuplot")
        self.scripts = tempfile.TemporaryDirectory()
        self.started = {kind: [] for kind in TERMINALS}
        self.names = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in sum(self.started.values(), []):
            process.communicate()
        self.scripts.cleanup()

    def name(self, plots):
        """Gives each plot a name of its own: names leave out what tells some plots apart."""
        for plot in plots:
            count = self.names[plot.name] = self.names.get(plot.name, 0) + 1
            if count > 1:
                plot.name += f"_{count}"

    def start(self, plots):
        """Has the plots drawn. Scripts are files: a pipe would be full until all is drawn."""
        if not plots:
            return
        if self.program is None:
            raise ResultError("there is no gnuplot, which draws the plots (Debian: gnuplot-nox)")
        self.name(plots)
        for kind, processes in self.started.items():
            script = pathlib.Path(self.scripts.name) / f"{len(processes)}.{kind}"
            script.write_text("\n".join(script_of(plots, kind, self.folder)) + "\n", encoding="utf-8")
            processes.append(subprocess.Popen([self.program, script], stderr=subprocess.PIPE, text=True))

    def finish(self, kind):
        """Waits for the files of a kind."""
        while self.started[kind]:
            process = self.started[kind].pop()
            errors = process.communicate()[1]
            if process.returncode != 0:
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

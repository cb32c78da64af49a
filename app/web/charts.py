"""Charts as SVG in the page, drawn by pygal and coloured by our stylesheet: no script, no style of their own."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pygal
from markupsafe import Markup
from pygal.style import Style

WIDTH: Final = 720
HEIGHT: Final = 200
DRAWN_MAX: Final = 200  # pictures of some ten kilobytes
LABEL: Final = 12  # pixels of a label; pygal leaves as much room, the stylesheet draws it
# Importing pygal changes how the whole process imports, for plugins that we have none of. It is put right again.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]
_OVERLAYS: Final = ("titles", "overlay", "text-overlay", "tooltip-overlay")


@dataclass(frozen=True)
class Series:
    """Bars of one meaning. `kind` is the stylesheet's class for the colour."""

    name: str
    kind: str
    values: tuple[int, ...]


@lru_cache(maxsize=DRAWN_MAX)
def stacked_bars(
    title: str,
    labels: tuple[str, ...],
    series: tuple[Series, ...],
    *,
    shown: frozenset[int] | None = None,
    width: int = WIDTH,
) -> Markup:
    """Draws stacked bars. `labels` are shown on hover; those numbered in `shown`, or all, also below the bar.

    The same numbers give the same picture, so it is drawn again only when they have changed.
    """
    chart = pygal.StackedBar(
        width=width,
        height=HEIGHT,
        css=[],
        js=[],
        style=Style(label_font_size=LABEL, major_label_font_size=LABEL),
        show_legend=False,
        disable_xml_declaration=True,
        no_prefix=True,
        margin=6,
        spacing=6,
        truncate_label=-1,
        include_x_axis=True,
        show_minor_x_labels=False,
        value_formatter=lambda value: f"{value:g}",
    )
    chart.x_labels = labels
    chart.x_labels_major = [label for number, label in enumerate(labels) if shown is None or number in shown]
    chart.y_labels = whole_steps(max(map(sum, zip(*(each.values for each in series), strict=True)), default=0))
    for each in series:
        chart.add(each.name, list(each.values))
    return _as_markup(chart.render_tree(), title, series)


def whole_steps(tallest: int) -> list[int]:
    """Returns two to six marks for an axis of counts, from 0 to the tallest bar or a little above: no half students."""
    step = next(size * 10**power for power in range(20) for size in (1, 2, 5) if size * 10**power * 5 >= tallest)
    return list(range(0, max(tallest, 1) + step, step))


def _as_markup(root: Element, title: str, series: Sequence[Series]) -> Markup:
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or child.tag in ("defs", "title") or _is_overlay(child):
                parent.remove(child)
    for number, each in enumerate(series):
        for group in root.iter("g"):
            if f"serie-{number}" in group.get("class", "").split():
                group.set("class", f"series {each.kind}")
                _tell(group, each.name)
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", title)
    root.attrib.pop("id", None)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes all text


def _is_overlay(element: Element) -> bool:
    return any(name in _OVERLAYS for name in element.get("class", "").split())


def _tell(group: Element, name: str) -> None:
    """What pygal's script would show on pointing at a bar, as the browser shows it."""
    for bar in group.iter("g"):
        if bar.get("class") == "bar":
            told: dict[str | None, Any] = {part.get("class"): part.text for part in bar.findall("desc")}
            for part in bar.findall("desc"):
                bar.remove(part)
            ElementTree.SubElement(bar, "title").text = f"{told.get('x_label')}: {told.get('value')} {name}"


def interval_bar(low: float, median: float, high: float, scale: float) -> Markup:
    """Draws a bar as long as the median, with the interval across its end and a line at 1; `scale` is the picture's
    width. It is hidden from screen readers, since its numbers are given beside it.
    """
    start, middle, end, one = (f"{100 * value / scale:.1f}" for value in (low, median, high, 1.0))
    return Markup(
        '<svg class="interval" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bar" y="2" width="{}" height="8"/><rect class="one" x="{}" width="0.6" height="12"/>'
        '<path class="range" d="M{} 6H{}"/></svg>'
    ).format(middle, one, start, end)


def sparkline(values: Sequence[int], width: int = 120, height: int = 24) -> Markup:
    """Draws a small line without axes, for a cell of a table. It is hidden from screen readers, since its numbers are
    given elsewhere.
    """
    top = max(max(values, default=0), 1)
    step = width / max(len(values) - 1, 1)
    points = " ".join(
        f"{number * step:.1f},{height - 2 - value / top * (height - 4):.1f}" for number, value in enumerate(values)
    )
    return Markup('<svg class="spark" viewBox="0 0 {} {}" aria-hidden="true"><polyline points="{}"/></svg>').format(
        width, height, points
    )

"""Draws the pictures of docs/misconceptions.md: where the outputs of each exercise's mistakes are wrong.

python -m scripts.gallery [SLUG ...]    (or `make gallery`; some minutes)

Each mistake is graded on one paper, as a student's file is. Its picture is that of the test in which most is right, for
there it shows best what the mistake spoils. A mistake that leaves no row, column or head right in any test is left out.
"""

import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from markupsafe import Markup

from app.web.pictures import RIGHT, error_picture
from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import grade
from grader.inprocess import InProcess
from grader.report import ErrorMap

SHEETS: Final = Path(__file__).parents[1] / "docs" / "misconceptions"
SEED: Final = 11
COLUMNS, CARD_WIDTH, CARD_HEIGHT, EDGE = 4, 260, 230, 16
PICTURE_WIDTH, PICTURE_HEIGHT, TITLE_HEIGHT = CARD_WIDTH - 2 * EDGE, 150, 44
LINE, LINE_LENGTH, LINES_MAX = 17, 30, 2
STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #59636e } .title { font-weight: 600; font-size: 13px; fill: #1f2328 }
.card { fill: #fff; stroke: #d1d9e0 } .errors path { fill: #c62828; stroke: #fff; stroke-width: .06 }
.errors .e0 { fill: #1a7f37; fill-opacity: .2 } .errors .e1 { fill-opacity: .3 } .errors .e2 { fill-opacity: .36 }
.errors .e3 { fill-opacity: .44 } .errors .e4 { fill-opacity: .52 } .errors .e5 { fill-opacity: .6 }
.errors .e6 { fill-opacity: .7 } .errors .e7 { fill-opacity: .8 } .errors .e8 { fill-opacity: .9 }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1 } .title { fill: #f0f6fc } .card { fill: #151b23; stroke: #3d444d }
  .errors path { fill: #ff7b72; stroke: #151b23 } .errors .e0 { fill: #3fb950 }
}
"""


@dataclass(frozen=True)
class Card:
    """A mistake, and where its output differs in the test of that title."""

    title: str
    test: str
    found: ErrorMap


def main(slugs: Sequence[str]) -> None:
    """Write the sheets of these exercises, or of all, and the page."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mistakes divide by zero and worse
    SHEETS.mkdir(exist_ok=True)
    for slug, challenge in load_challenges().items():
        if not slugs or slug in slugs:
            cards = list(_cards(challenge))
            (SHEETS / f"{slug}.svg").write_text(_sheet(cards), encoding="utf-8")
            print(f"{slug}: {len(cards)} pictures", flush=True)


def _cards(challenge: Challenge) -> Iterator[Card]:
    exercise, sandbox = exercise_of(challenge), InProcess()
    for mistake in exercise.misconceptions:
        if "." in mistake.name:  # another form of one that is shown
            continue
        report = grade(challenge, exercise.submission_with(mistake), SEED, sandbox, is_timed=False)
        drawn = [(test.title, test.error_map) for test in report.tests if test.error_map is not None]
        if drawn:
            title, best = max(drawn, key=lambda item: _clarity(item[1]))
            if _clarity(best):
                yield Card(mistake.title, title, best)


def _clarity(found: ErrorMap) -> float:
    """The share of rows, of columns or of heads that are right as a whole, whichever is the largest."""
    parts = (found.cells, ["".join(column) for column in zip(*found.cells, strict=True)], list(found.heads))
    return max(sum(set(line) == {RIGHT} for line in lines) / len(lines) for lines in parts if lines)


def _sheet(cards: Sequence[Card]) -> str:
    rows = -(-len(cards) // COLUMNS)
    width, height = COLUMNS * (CARD_WIDTH + EDGE) - EDGE, max(rows * (CARD_HEIGHT + EDGE) - EDGE, 1)
    drawn = Markup("\n").join(_card(card, *divmod(place, COLUMNS)) for place, card in enumerate(cards))
    frame = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}">\n'
        "<style>{}</style>\n{}\n</svg>\n"
    )
    return str(frame.format(width, height, width, height, Markup(STYLE), drawn))  # noqa: S704  our own text


def _card(card: Card, row: int, column: int) -> Markup:
    picture = error_picture(card.found)
    scale = min(PICTURE_WIDTH / picture.width, PICTURE_HEIGHT / picture.height, 1)
    return Markup(
        '<g transform="translate({} {})"><rect class="card" x=".5" y=".5" width="{}" height="{}" rx="6"/>{}'
        '<g transform="translate({} {}) scale({})">{}</g></g>'
    ).format(
        column * (CARD_WIDTH + EDGE),
        row * (CARD_HEIGHT + EDGE),
        CARD_WIDTH - 1,
        CARD_HEIGHT - 1,
        Markup("").join(_texts(card)),
        f"{(CARD_WIDTH - scale * picture.width) / 2:.1f}",
        TITLE_HEIGHT + 2 * LINE - EDGE / 2,
        f"{scale:.3f}",
        picture.svg,
    )


def _texts(card: Card) -> Iterator[Markup]:
    title = textwrap.wrap(card.title, LINE_LENGTH, max_lines=LINES_MAX, placeholder=" …")
    for line, text in enumerate(title):
        yield Markup('<text class="title" x="{}" y="{}">{}</text>').format(EDGE, EDGE + LINE * (line + 0.5), text)
    test = textwrap.shorten(card.test, LINE_LENGTH + 6, placeholder=" …")
    yield Markup('<text x="{}" y="{}">{}</text>').format(EDGE, EDGE + LINE * (len(title) + 0.5), test)


if __name__ == "__main__":
    main(sys.argv[1:])

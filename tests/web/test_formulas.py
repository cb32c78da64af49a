"""Formulas of an exercise's text: its author may be nobody whom its readers trust."""

import re
import time

import pytest

from app.web.markdown import to_html

TAG = re.compile(r"<(?!/?(?:math|m[a-z]+|p|div|span|code)\b)")  # any that a formula has no use for
BOMB = "".join(rf"\newcommand{{\q{name}}}" + "{" + rf"{{\q{chr(ord(name) + 1)}}}" * 10 + "}" for name in "edcba")


def test_a_formula_is_drawn() -> None:
    drawn = to_html(r"with $a < \sqrt{d_\text{head}}$")
    assert "<msqrt>" in drawn
    assert "<mtext>head</mtext>" in drawn
    assert "<mo>&lt;</mo>" in drawn


@pytest.mark.parametrize(
    "formula",
    [
        *(rf"\{word}{{<form action=/sign-out><meta http-equiv=refresh>}}" for word in ("text", "mbox", "fbox", "tag")),
        r"\unicode{<img src=x>}",
        r"\color{red\"><a>}x",
        r"\big<a\big>",
        r"\text{&lt;script&gt;}",
    ],
)
@pytest.mark.parametrize("frame", ["${}$", "$$\n{}\n$$"])
def test_no_formula_becomes_markup_of_the_page(formula: str, frame: str) -> None:
    assert TAG.search(to_html(frame.format(formula))) is None


@pytest.mark.parametrize("word", ["href", "style", "class"])
def test_a_formula_leads_nowhere_and_looks_like_no_part_of_the_page(word: str) -> None:
    assert "elsewhere" not in to_html(rf"$\{word}{{elsewhere}}{{x}}$")


@pytest.mark.parametrize("formula", [r"\frac{", r"\left(", "x^2^3", r"\middle<", "{" * 3000, r"\newcommand{\a}{b}\a"])
def test_a_formula_that_cannot_be_read_is_shown_as_it_was_written(formula: str) -> None:
    shown = to_html(f"${formula}$")
    assert f"<code>{formula.replace('<', '&lt;')}</code>" in shown


@pytest.mark.parametrize("formula", [rf"\newcommand{{\qf}}{{x}}{BOMB}{{\qa}}", r"\text{" * 20_000])
def test_no_formula_takes_long_or_much(formula: str) -> None:
    began = time.process_time()
    shown = to_html(f"${formula}$")
    assert len(shown) < 2 * len(formula) + 100
    assert time.process_time() - began < 1

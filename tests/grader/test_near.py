"""Which files are near to a hunt's: dressed up as anybody might, and not what others wrote by themselves."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.challenge import DEFAULT_ROOT
from grader.hunt import HuntBank, is_near, runs_text, shape_of

SLUGS = [folder.name for folder in sorted(DEFAULT_ROOT.iterdir()) if (folder / "hunt").is_dir()]
SUBMISSIONS = Path(__file__).parents[1] / "submissions"
MOST_OWN = 0.99  # of what others wrote gets its explanation; what does not shares most of the hunt's file
HOSTILE = {
    "escaped quotes in a text that is left open": '"' + '\\"' * 130_000,
    "an open text of three quotes": '"""' + '\\"""' * 60_000,
    "backslashes": "'''" + "\\" * 260_000,
    "quotes": "\"'" * 130_000,
    "words": "a " * 130_000,
    "brackets": "(" * 260_000,
    "characters that grow": ".\ufdfa" * 80_000,
}


def renamed(source: str) -> str:
    own = set(re.findall(r"^\s*(\w+)(?:, \w+)* = ", source, re.MULTILINE))
    return re.sub(r"\b\w+\b", lambda found: f"v_{found[0]}" if found[0] in own else found[0], source)


def commented(source: str) -> str:
    return "\n".join(f"{line}  # {number} words of no use" for number, line in enumerate(source.split("\n")))


def spread(source: str) -> str:
    return source.replace(" ", "  ").replace("= ", "= \\\n        ")


def in_brackets(source: str) -> str:
    return re.sub(r"^(\s*\w+) = (.+[^(,\[])$", r"\1 = ((\2))", source, flags=re.MULTILINE)


def with_more_between(source: str) -> str:
    return re.sub(r"^(\s+)(\w+ = .+[^(,\[])$", r"\1\2\n\1zz = 0", source, flags=re.MULTILINE)


def turned_round(source: str) -> str:
    """The functions and classes in the other order, and a lot behind them."""
    pieces = re.split(r"^(?=def |class |@)", source, flags=re.MULTILINE)
    return "".join([pieces[0], *reversed(pieces[1:])]) + "\nX = [0]\n" * 2000


@pytest.mark.parametrize("dressed", [str, renamed, commented, spread, in_brackets, with_more_between, turned_round])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_hunts_file_is_near_however_it_is_dressed_up(slug: str, dressed: Callable[[str], str]):
    for planted in HuntBank.load(DEFAULT_ROOT / slug / "hunt").all_planted():
        sent = dressed(planted.source)
        assert is_near(planted.source, sent, shape_of([sent])), planted.name


@pytest.mark.parametrize("slug", SLUGS)
def test_what_others_wrote_by_themselves_is_explained(slug: str):
    bank = HuntBank.load(DEFAULT_ROOT / slug / "hunt")
    sources = [path.read_text(errors="replace") for path in sorted((SUBMISSIONS / slug).rglob("*.py"))[::6]]
    shapes = [(source, shape_of([source])) for source in sources]
    near = [is_near(bug.source, *each) for bug in list(bank.all_planted())[::4] for each in shapes]
    assert near.count(True) <= (1 - MOST_OWN) * len(near)


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_sent_takes_no_time(name: str):
    started = time.process_time()
    shape_of([HOSTILE[name]])
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("source", "is_run"),
    [
        ("exec(base64.b85decode(b'...').decode(), names)", True),
        ("from builtins import exec as run", True),
        ("importlib.import_module('x')", True),
        ("\uff45xec(text)", True),
        ("model.eval()\nfast = torch.compile(model)", False),
        ("# exec(this)\ntext = 'eval(that)'", False),
        ("execute = evaluate", False),
    ],
)
def test_code_that_stands_in_a_text_is_noticed(source: str, is_run: bool):
    assert runs_text([source]) is is_run


def test_what_others_wrote_by_themselves_runs_no_text():
    files = [path.read_text(errors="replace") for path in SUBMISSIONS.glob("*/passed/*.py")]
    assert sum(map(runs_text, ([file] for file in files))) <= len(files) * (1 - MOST_OWN)

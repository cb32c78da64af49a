"""Mutants: what is changed, how a change is named, and what becomes of what survives."""

import math
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from assay.mutant_trials import NEVER_ENDED, bounded_trials
from assay.new_challenge import Names, write_challenge
from grader.challenge import Challenge, load_challenge
from grader.proof.mutants import Mutant, ProgramFile, mutants_of
from grader.proof.mutation import SEEDS, Kill, MutantOutcome, mutant_outcomes, mutants_for, sort_out

SOURCE = dedent('''
    """A program."""
    import torch

    SIZE = 3

    def scaled(x: Tensor, width: int, factor=2.0) -> Tensor:
        """Not code."""
        if width < 1:
            raise ValueError("too small: 1")
        y = x.transpose(-1, -2) / width
        return torch.cos(y[..., 1:]) - factor

    def nobody_calls_this(x):
        return x + 1
''')


def changes(source: str = SOURCE, *more: str) -> dict[str, str]:
    parts = [ProgramFile(f"{number}.py", text.encode()) for number, text in enumerate((source, *more))]
    return {mutant.id: b"\n".join(mutant.sources).decode() for mutant in mutants_of(parts, ["scaled"])}


@pytest.mark.parametrize(
    "change",
    [
        "x.transpose(-1, -2) / width -> x.transpose(-1, -2) * width",
        "x.transpose(-1, -2) / width -> width / x.transpose(-1, -2)",
        "x.transpose(-1, -2) -> x.transpose(0, -2)",
        "x.transpose(-1, -2) -> x.transpose(1, -2)",
        "x.transpose(-1, -2) -> x.transpose(-2, -1)",
        "torch.cos -> torch.sin",
        "torch.cos(y[..., 1:]) -> y[..., 1:]",
        "y[..., 1:] -> y[..., 2:]",
        "y[..., 1:] -> y[..., :]",
        "y[..., 1:] -> factor[..., 1:]",
        "torch.cos(y[..., 1:]) - factor -> torch.cos(y[..., 1:]) + factor",
        "width < 1 -> width <= 1",
        "if width < 1: -> if False:",
        "raise ValueError('too small: 1') -> pass",
        "default 2.0 -> 4.0",
        "default 2.0 -> -2.0",
        "x: Tensor, width: int, factor=2.0 -> x: Tensor, width: int, factor",
    ],
)
def test_a_slip_of_the_hand_is_among_the_mutants(change: str) -> None:
    assert f"scaled: {change}" in changes()


def test_every_mutant_is_another_program_that_parses_and_no_two_are_the_same() -> None:
    codes = list(changes().values())
    assert len(set(codes)) == len(codes) > 40
    assert SOURCE not in codes
    for code in codes:
        compile(code, "mutant.py", "exec")


def test_what_no_call_can_show_is_left_alone() -> None:
    for name, code in changes().items():
        assert name.startswith("scaled: ")  # neither the constant above nor the function that nobody calls
        assert '"""A program."""' in code
        assert "Not code." in code
        assert "x: Tensor, width: int" in code
        assert "too small: 1" in code or "raise" in name


def test_a_class_that_no_entry_point_uses_is_left_alone_though_it_has_methods_of_the_same_names() -> None:
    classes = """
class Used:
    def forward(self, x):
        return x + 1

class Unused:
    def forward(self, x):
        return x * 2

def scaled(x):
    return Used().forward(x)
"""
    assert {name.partition(":")[0] for name in changes(classes)} == {"Used", "scaled"}


def test_ids_outlive_edits_elsewhere() -> None:
    assert changes().keys() == changes("# another line\n\n" + SOURCE).keys()


def test_of_two_definitions_only_the_one_that_counts_is_changed() -> None:
    later = "def scaled(x, width):\n    return x * width\n"
    found = changes(SOURCE, later)
    assert "scaled: x * width -> x / width" in found
    assert not any("transpose" in name for name in found)


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return load_challenge(write_challenge(Names.of("soft-maximum", None), tmp_path))


MUTANT = Mutant("f: x + y -> x - y", "reference.py:3", ())
KILLED = Kill("values/one", math.inf)


def lists(challenge: Challenge, name: str) -> None:
    (challenge.folder / "equivalents.toml").write_text(f'[[equivalent]]\nreason = "why"\nmutants = ["{name}"]\n')


def test_a_survivor_is_a_problem_unless_it_is_listed(challenge: Challenge) -> None:
    alive = MutantOutcome(MUTANT, (None,) * len(SEEDS))
    assert sort_out(challenge, [alive]).problems == ('survives: "f: x + y -> x - y" (reference.py:3)',)
    lists(challenge, MUTANT.id)
    mutation = sort_out(challenge, [alive])
    assert not mutation.problems
    assert mutation.equivalent == 1


def test_a_mutant_that_only_some_papers_notice_is_a_problem_even_when_listed(challenge: Challenge) -> None:
    spared = MutantOutcome(MUTANT, (KILLED, None, KILLED))
    assert "survives on seed 1 only" in sort_out(challenge, [spared]).problems[0]
    lists(challenge, MUTANT.id)
    assert any("survives on seed 1 only" in problem for problem in sort_out(challenge, [spared]).problems)


def test_what_is_listed_must_exist_and_survive(challenge: Challenge) -> None:
    lists(challenge, MUTANT.id)
    killed = MutantOutcome(MUTANT, (KILLED,) * len(SEEDS))
    assert "and killed by values/one" in sort_out(challenge, [killed]).problems[0]
    assert 'no mutant has this name: "f: x + y -> x - y"' in sort_out(challenge, []).problems[0]


def test_a_kill_by_less_than_ten_tolerances_is_counted_as_close(challenge: Challenge) -> None:
    barely = MutantOutcome(MUTANT, (KILLED, Kill("values/one", 3.0), KILLED))
    assert sort_out(challenge, [barely]).close == (barely,)


def test_a_paper_that_does_not_look_lets_mutants_live(challenge: Challenge) -> None:
    """The examiner itself: with the case of large values gone, what is taken off before exp no longer matters."""
    cases = (challenge.folder / "cases.py").read_text()
    assert '"large-values": large_values,' in cases
    (challenge.folder / "cases.py").write_text(cases.replace('"large-values": large_values,', ""))
    poorer = load_challenge(challenge.folder)
    problems = sort_out(poorer, list(mutant_outcomes(poorer, mutants_for(poorer)))).problems
    assert any("shift: " in problem for problem in problems)


def test_a_mutant_that_never_ends_or_kills_its_process_is_noticed(
    challenge: Challenge,
) -> None:
    def with_body(name: str, body: str) -> Mutant:
        source = f"import os\n\n\ndef soft_maximum(x):\n    {body}\n"
        return Mutant(name, "reference.py:1", (ProgramFile("reference.py", source.encode()),))

    mutants = [
        with_body("endless", "while True: pass"),
        with_body("dead", "os._exit(1)"),
        with_body("greedy", "return x + len(bytearray(1 << 40))"),
        with_body("right", "w = x.sub(x.amax(-1, True)).exp(); return w / w.sum(-1, True)"),
    ]
    outcomes: Iterator[MutantOutcome] = bounded_trials(challenge, mutants, cpu_s=3.0)
    endless, dead, greedy, right = outcomes
    assert {kill.by for outcome in (endless, dead) for kill in outcome.kills if kill} == {NEVER_ENDED}
    assert greedy.is_killed
    assert right.is_alive

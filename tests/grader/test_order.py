"""The order of parameters: read from the source where it tells, else asked in calls of both kinds."""

from collections.abc import Callable
from functools import partial

import pytest

from grader.exercise import exercise_of
from grader.guest.binding import call_with, writing
from grader.guest.inspection import EntryKind, EntryPoint, Inspection, Place, SourceRules
from grader.guest.source import inspect_source
from grader.guest.submission import Submission
from tests.installed import installed

ENTRY = EntryPoint("f", ("x", "weight", "size", "mask"), optional=1, keywords=("gain", "bias"))
MADE = EntryPoint("Layer", ("d_in", "d_out", "dropout", "heads", "bias"), optional=1, kind=EntryKind.CLASS)
ORDER = "f(x, weight, size, mask=..., *, gain, bias)"


def inspected(entry: EntryPoint, source: str, **siblings: str) -> Inspection:
    files = {"a.py": source.encode(), **{f"{name}.py": text.encode() for name, text in siblings.items()}}
    rules = SourceRules(main=entry.name, entry_points=(entry,), modules=("torch",))
    return inspect_source(Submission("a.py", files), rules)


@pytest.mark.parametrize(
    "parameters",
    [
        "x, weight, size, mask=None, *, gain, bias",
        "x, weight, size, mask=None, *, bias, gain",
        "x, weight, size, mask=None, gain=None, bias=None",
        "x, weight, size, mask=None, bias=None, gain=None, extra=3",
        "x, w, n, m=None, *, gain, bias",
        "a, b, c, mask=None, extra=1, *, gain, bias, more=2",
        "x, weight, size, mask=None, *args, **kwargs",
        "x, weight, size, /, mask=None, **kwargs",
        "*args, **kwargs",
        "x, *args, **kwargs",
    ],
)
def test_the_printed_order_is_kept_by(parameters: str) -> None:
    assert inspected(ENTRY, f"def f({parameters}): pass").refusal is None


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("weight, x, size, mask=None, *, gain, bias", "`weight` comes before `x`"),
        ("weight, x, size, mask=None, **kwargs", "`weight` comes before `x`"),
        ("x, size, weight, mask=None, *, gain, bias", "`size` comes before `weight`"),
        ("a, size, weight, mask=None, *, gain, bias", "`size` comes before `weight`"),
        ("x, weight, size, gain, bias, mask=None", "`gain` comes before `mask`"),
        ("x, weight, size, extra=None, mask=None, *, gain, bias", "`extra` comes before `mask`"),
        ("x, extra, weight, size, mask=None, *, gain, bias", "`extra` comes before `weight`"),
        ("weight, x, /, size, mask=None, *, gain, bias", "`weight` comes before `x`"),
        ("weight, *rest, x=None, **more", None),
        ("*, x, weight, size, mask=None, bias, gain", "`x` can only be passed by name"),
        ("x, weight, size, *, mask=None, gain, bias", "`mask` can only be passed by name"),
        ("a, b, *, size, mask=None, gain, bias", "`size` can only be passed by name"),
        ("x, weight, **rest", "`size` can only be passed by name"),
        ("**anything", "`x` can only be passed by name"),
    ],
)
def test_another_order_is_told_with_its_line(parameters: str, said: str | None) -> None:
    refusal = inspected(ENTRY, f"import torch\n\ndef f({parameters}): pass").refusal
    assert refusal is not None
    assert refusal.place == Place(3)
    asked = "`f` has a different signature from the one in the exercise"
    assert refusal.message == (f"{asked}: {said}; the order is {ORDER}." if said else f"{asked}. Expected: {ORDER}.")


LAYER = "    def __init__(self, d_in, d_out, heads, dropout, bias=False): pass\n"
CLASSES = {
    "its own constructor": ("class Layer:\n" + LAYER, Place(2)),
    "an inherited one": ("class Base:\n" + LAYER + "class Middle(Base): pass\nclass Layer(Middle): pass\n", Place(2)),
    "another name": ("class Attention:\n" + LAYER + "Layer = Attention\n", Place(2)),
    "a sibling's": ("from b import Layer\n", Place(2, "b.py")),
    "a sibling's base": ("from b import Layer as Base\nclass Layer(Base): pass\n", Place(2, "b.py")),
    "fields": (
        "from dataclasses import dataclass\n@dataclass\nclass Layer:\n"
        "    d_in: int\n    d_out: int\n    heads: int\n    dropout: float\n    bias: bool = False\n",
        Place(3),
    ),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_constructor_is_found_wherever_it_is(kind: str) -> None:
    source, place = CLASSES[kind]
    refusal = inspected(MADE, source, b="class Layer:\n" + LAYER).refusal
    assert refusal is not None
    assert "`heads` comes before `dropout`" in refusal.message
    assert refusal.place == place
    right = source.replace("heads, dropout", "dropout, heads").replace(
        "    heads: int\n    dropout: float\n", "    dropout: float\n    heads: int\n"
    )
    sibling = "class Layer:\n" + LAYER.replace("heads, dropout", "dropout, heads")
    assert inspected(MADE, right, b=sibling).refusal is None


@pytest.mark.parametrize(
    "source",
    [
        "class Layer(Layer): pass",
        "class A(Layer): pass\nclass Layer(A): pass",
        "a = Layer\nLayer = a",
        "from b import Layer",
        "import torch\nclass Layer(torch.nn.Linear): pass",
    ],
)
def test_whoever_runs_in_circles_or_inherits_elsewhere_is_left_to_the_calls(source: str) -> None:
    assert inspected(MADE, source, b="from a import Layer\n").refusal is None


GIVEN = {"x": 1, "weight": 2, "size": 3, "gain": 4}
SEEN = {
    "x, weight, size, *, gain": "return x, weight, size, gain",
    "x, weight, size, gain": "return x, weight, size, gain",
    "a, b, c, gain": "return a, b, c, gain",
    "a, weight, size, /, gain": "return a, weight, size, gain",
    "a, b, c, mask=None, **more": "return a, b, c, more['gain']",
    "a, b, c, /, **more": "return a, b, c, more['gain']",
    "x, b, size, **more": "return x, b, size, more['gain']",
    "*, gain, weight, x, size": "return x, weight, size, gain",
    "**given": "return tuple(given[name] for name in ('x', 'weight', 'size', 'gain'))",
    "*args": "return args",
}


@pytest.mark.parametrize("by_position", [0, 2, 3])
@pytest.mark.parametrize("parameters", SEEN)
def test_whatever_can_be_called_gets_its_arguments_in_either_way(parameters: str, by_position: int) -> None:
    space: dict[str, object] = {}
    exec(f"def f({parameters}):\n    {SEEN[parameters]}", space)
    with writing(by_position):
        assert call_with(space["f"], GIVEN) == (1, 2, 3, 4)  # type: ignore[arg-type]


def test_what_takes_anything_is_called_as_the_call_is_written() -> None:
    def f(*args: object, **kwargs: object) -> tuple[object, ...]:
        return args, kwargs

    assert call_with(f, GIVEN) == ((), GIVEN)
    with writing(3):
        assert call_with(f, GIVEN) == ((1, 2, 3), {"gain": 4})


@pytest.mark.parametrize(
    ("parameters", "bound"),
    [
        ("first, x, weight", {"first": 0, "x": 1, "weight": 2}),
        ("first, a, b", {"first": 0, "a": 1, "b": 2}),
        ("first, weight, x", {"first": 0, "x": 1, "weight": 2}),
        ("first, /, **named", {"first": 0, "named": {"x": 1, "weight": 2}}),
        ("*all", {"all": (0, 1, 2)}),
    ],
)
def test_what_has_its_first_argument_is_called_by_the_others(parameters: str, bound: dict[str, object]) -> None:
    space: dict[str, Callable[..., object]] = {}
    exec(f"def f({parameters}):\n    return dict(locals())", space)
    assert call_with(partial(space["f"], 0), {"x": 1, "weight": 2}) == bound


def test_a_paper_calls_every_entry_point_in_both_ways() -> None:
    for slug, challenge in installed().items():
        cases = exercise_of(challenge).paper(3).cases
        for entry in challenge.manifest.entry_points:
            given = [case.call for case in cases if case.call.function == entry.name]
            required = len(entry.parameters) - entry.optional
            assert any(call.by_position == 0 for call in given), (slug, entry.name)
            assert any(call.by_position >= required for call in given), (slug, entry.name)
            assert all(
                tuple(call.arguments)[: call.by_position] == entry.parameters[: call.by_position] for call in given
            )

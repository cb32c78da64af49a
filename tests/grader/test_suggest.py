"""A misspelt name is told with the one that was meant, as Python does in a traceback."""

import time

import pytest
import torch
from torch import nn

from grader.guest.suggest import did_you_mean


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.num_heads = 2
        self.out_proj = nn.Linear(2, 2)

    def forgets_itself(self) -> object:
        return out_proj  # type: ignore[name-defined]  # noqa: F821  the slip


def misspelt_local() -> object:
    q_proj_weight = 1
    del q_proj_weight
    wanted_scores = 2
    return wanted_scorse, wanted_scores  # type: ignore[name-defined]  # noqa: F821  the slip


def misspelt_beside_a_function_of_pythons() -> object:
    angle = 1
    return angel, angle  # type: ignore[name-defined]  # noqa: F821  the slip: as like `range` as `angle`


def misspelt_in_a_function_within() -> object:
    num_heads = 2

    def split() -> object:
        return num_head  # type: ignore[name-defined]  # noqa: F821  the slip

    return [split() for _ in range(num_heads)]


def meant_by(action: object) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011  whichever it is
        action()  # type: ignore[operator]
    return did_you_mean(caught.value)


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        (misspelt_local, "wanted_scores"),
        (misspelt_beside_a_function_of_pythons, "angle"),
        (misspelt_in_a_function_within, "num_heads"),
        (lambda: torch.sofmax(torch.ones(2)), "softmax"),  # type: ignore[attr-defined]
        (lambda: torch.ones(2).tranpose(0, 1), "transpose"),  # type: ignore[attr-defined]
        (lambda: Layer().n_heads, "num_heads"),
        (lambda: Layer().out_porj, "out_proj"),
        (Layer().forgets_itself, "self.out_proj"),
        (lambda: einsum("i,i->", 1, 2), "torch.einsum"),  # type: ignore[name-defined]  # noqa: F821  the slip
    ],
)
def test_a_slip_is_told_with_what_was_meant(action: object, meant: str):
    assert meant_by(action) == f"Did you mean: '{meant}'?"


def test_what_everybody_imports_is_told_with_its_import():
    assert meant_by(lambda: F.relu(1)) == "Is `import torch.nn.functional as F` missing?"  # type: ignore[name-defined]  # noqa: F821


def test_names_that_are_a_student_s_own_mapping_are_not_asked():
    class Names(dict[str, object]):
        def __iter__(self) -> object:  # type: ignore[override]
            raise AssertionError("code of the student's is run to word a message")

    class Meta(type):
        @classmethod
        def __prepare__(cls, _name: str, _bases: tuple[type, ...], **_more: object) -> Names:
            return Names()

    def body() -> None:
        class _Body(metaclass=Meta):
            slip = wanted_scorse  # type: ignore[name-defined]  # noqa: F821  the slip

    assert meant_by(body) == ""


@pytest.mark.parametrize(
    "action", [lambda: torch.attention_with_rope, lambda: Layer().nothing_like_it, lambda: {}["key"], lambda: 1 / 0]
)
def test_where_nothing_is_near_nothing_is_said(action: object):
    assert meant_by(action) == ""


class Forged(NameError):
    @property
    def name(self) -> str:  # type: ignore[override]
        raise AssertionError("code of the student's is run to word a message")


def test_only_python_s_own_exceptions_are_asked():
    assert did_you_mean(Forged("name 'x' is not defined")) == ""
    odd = NameError("x")
    odd.name = ["no", "text"]  # type: ignore[assignment]
    assert did_you_mean(odd) == ""


def test_a_thousand_calls_that_fail_alike_cost_little():
    started = time.process_time()
    for _ in range(1000):
        meant_by(lambda: torch.sofmax(torch.ones(2)))  # type: ignore[attr-defined]
    assert time.process_time() - started < 3


def test_long_names_and_crowds_of_names_are_not_compared():
    crowd = type("Crowd", (), {f"name_{number}": 0 for number in range(10_000)})
    assert meant_by(lambda: crowd().name_x) == ""  # type: ignore[attr-defined]
    assert meant_by(lambda: getattr(Layer(), "x" * 10_000)) == ""

"""What comparing one case says: of values and gradients that are asked for together, too."""

from dataclasses import replace

import pytest
import torch

from grader.comparison.compare import compare
from grader.comparison.problems import describe
from grader.comparison.tolerance import Finding, agreeing
from grader.exercise import in_float64
from grader.guest.execution import Call, Problem
from grader.guest.loading import Program
from grader.inprocess import fresh_module, outcomes_of
from grader.paper.case import Aspect, Case
from grader.paper.mismatch import Mismatch

RIGHT = "def f(x, y): return x * y"
BOTH = frozenset({Aspect.OUTPUT, Aspect.GRADIENTS})


def program(source: str) -> Program:
    return Program(fresh_module("f.py", b"import torch\n" + source.encode()))


def case(*aspects: Aspect) -> Case:
    given = {"x": torch.arange(1.0, 7.0).reshape(2, 3), "y": torch.linspace(-1, 1, 3)}
    call = Call("f/1", "f", given, gradient=torch.ones(2, 3), differentiate=("x", "y"))
    return Case("f/1", "", call, growth=8, aspects=frozenset(aspects))


def found(source: str, *aspects: Aspect) -> Finding:
    asked = case(*aspects)
    (expected,) = outcomes_of(program(RIGHT), [in_float64(asked.call)])
    (outcome,) = outcomes_of(program(source), [asked.call])
    return compare(asked, expected, outcome)


@pytest.mark.parametrize(
    ("source", "mismatch", "said"),
    [
        ("def f(x, y): return x * y + 1", Mismatch.VALUES, "The output is off by up to 1"),
        ("def f(x, y): return x.detach() * y", Mismatch.NO_GRADIENT, "The output is right. No gradient reaches x"),
        (
            "def f(x, y): return x * y + (y - y.detach())",
            Mismatch.GRADIENT_VALUES,
            "The output is right. The gradient of y is off by up to 2",
        ),
        ("def f(x, y): return (x * y).detach() + 1", Mismatch.VALUES, "The output is off"),
    ],
)
def test_of_values_and_gradients_together_the_values_are_told_first(source: str, mismatch: Mismatch, said: str) -> None:
    finding = found(source, *BOTH)
    assert finding.mismatch is mismatch
    assert finding.message.startswith(said)


def test_gradients_alone_say_nothing_of_values() -> None:
    finding = found("def f(x, y): return x.detach() * y + 1", Aspect.GRADIENTS)
    assert finding.message.startswith("No gradient reaches x")


def test_what_is_right_tells_how_near_the_worst_of_all_came() -> None:
    rough = "def f(x, y): return x * y + 3e-7 * (x - x.detach())"
    apart, together = found(rough, Aspect.GRADIENTS), found(rough, *BOTH)
    assert apart.mismatch is together.mismatch is None
    assert together.share == apart.share > found(rough, Aspect.OUTPUT).share
    assert replace(together, metrics={}).share == 0


def test_what_ends_with_a_colon_is_told_with_its_reason() -> None:
    said = 'Error(s) in loading state_dict for Head:\n\tUnexpected key(s) in state_dict: "mask". '
    told = describe(Problem("RuntimeError", said))
    assert told == 'RuntimeError: Error(s) in loading state_dict for Head: Unexpected key(s) in state_dict: "mask"'
    assert describe(Problem("ValueError", "Sizes differ\nfor more, see the manual")) == "ValueError: Sizes differ"


def test_an_output_near_zero_is_measured_by_the_scale_that_the_case_names() -> None:
    call = Call("f/1", "f", {"x": torch.ones(2)})
    asked = Case("f/1", "", call, growth=8)
    (expected,) = outcomes_of(program("f = lambda x: 0 * x"), [in_float64(call)])
    (outcome,) = outcomes_of(program("f = lambda x: 0 * x + 1e-7"), [call])
    assert compare(asked, expected, outcome).mismatch is Mismatch.VALUES
    assert compare(replace(asked, output_scale=1.0), expected, outcome).mismatch is None
    assert compare(replace(asked, output_scale=0.01), expected, outcome).mismatch is Mismatch.VALUES


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("1, 0, 1.5", 'The answer to "is it?" is 0; it should be 1 (1 is yes, 0 is no).'),
        ("1, 1, 2", 'The answer to "how much?" is 2; it should be 1.5.'),
        ("1, float('nan'), 2", 'The answer to "is it?" is nan; it should be 1 (1 is yes, 0 is no).'),
        ("-1, -1, -1", 'The answer to "was it?" could not be measured; it should be 1 (1 is yes, 0 is no).'),
    ],
)
def test_the_question_is_told_that_was_answered_wrongly(answers: str, said: str) -> None:
    call = Call("f/1", "f", {"x": torch.ones(3)})
    asked = Case("f/1", "", call, what="answers", questions=("was it?", "is it?", "how much?"))
    right, wrong = (f"def f(x): return x.new_tensor([{each}])" for each in ("1, 1, 1.5", answers))
    (expected,), (outcome,) = (outcomes_of(program(source), [call]) for source in (right, wrong))
    finding = compare(asked, expected, outcome)
    assert finding.message == said


def test_an_argument_of_another_dtype_is_changed_though_its_numbers_are_equal() -> None:
    given = {"x": torch.ones(3), "y": torch.ones(3)}
    asked = Case("f/1", "", Call("f/1", "f", given, return_arguments=True), 8, aspects=frozenset({Aspect.ARGUMENTS}))
    (outcome,) = outcomes_of(program("def f(x, y):\n    x.data = x.data.double()\n    return y"), [asked.call])
    assert compare(asked, outcome, outcome).mismatch is Mismatch.CHANGED_ARGUMENT


def test_a_plural_subject_has_a_plural_verb() -> None:
    asked = replace(case(Aspect.OUTPUT), what="outputs of two later calls")
    (expected,) = outcomes_of(program(RIGHT), [in_float64(asked.call)])
    (off,) = outcomes_of(program("def f(x, y): return x * y + 1"), [asked.call])
    assert compare(asked, expected, off).message.startswith("The outputs of two later calls are off by up to 1")
    assert agreeing("loss", "is", "are") == "loss is"
    assert agreeing("number of trainable weights", "is", "are") == "number of trainable weights is"
    values_alone = replace(asked.call, gradient=None, differentiate=())
    (flat,) = outcomes_of(program("def f(x, y): return (x * y).flatten()"), [values_alone])
    assert compare(asked, expected, flat).message.startswith("The outputs of two later calls have shape (6,)")

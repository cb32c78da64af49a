"""The paper as others would write it: a file of data, and a pytest file with one test for each case.

Only what such tests usually look at: outputs and gradients against stored tensors, each argument a tensor of its own.
No rules, no diagnosis.
"""

from pathlib import Path

import torch

from grader.challenge import Challenge
from grader.comparison.tolerance import tolerance
from grader.exercise import exercise_of
from grader.paper.case import Aspect

TESTS = """
import pytest
import torch

import layers

CASES = torch.load("cases.pt", weights_only=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    arguments = {name: value.clone() if hasattr(value, "clone") else value for name, value in case["arguments"].items()}
    for name in case["differentiate"]:
        arguments[name].requires_grad_()
    output = getattr(layers, case["function"])(**arguments)
    assert output.shape == case["expected"].shape
    assert (output.double() - case["expected"]).abs().max() <= case["tolerance"]
    if case["upstream"] is not None:
        inputs = [arguments[name] for name in case["differentiate"]]
        for name, found in zip(case["differentiate"], torch.autograd.grad(output, inputs, case["upstream"])):
            assert (found.double() - case["gradients"][name]).abs().max() <= case["tolerances"][name]
"""


def write_paper(challenge: Challenge, seed: int, folder: Path) -> int:
    """`cases.pt` and `test_paper.py`. Returns the number of cases."""
    exercise = exercise_of(challenge)
    cases = [
        case
        for case in exercise.paper(seed).cases
        if not case.raises and Aspect.OUTPUT in case.aspects and not case.call.shared
    ]
    entries = []
    for case, expected in zip(cases, exercise.expected(cases), strict=True):
        call = case.call
        gradients = {name: found for name, found in expected.gradients.items() if found is not None}
        entries.append(
            {
                "id": case.id,
                "function": call.function,
                "arguments": dict(call.arguments),
                "differentiate": list(call.differentiate),
                "upstream": call.gradient,
                "expected": expected.outputs[0],
                "gradients": gradients,
                "tolerance": tolerance(expected.outputs[0], case.growth, case.output_scale),
                "tolerances": {name: tolerance(found, case.growth, case.scale) for name, found in gradients.items()},
            }
        )
    torch.save(entries, folder / "cases.pt")
    (folder / "test_paper.py").write_text(TESTS)
    return len(entries)

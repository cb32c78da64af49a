"""A line that writes into a tensor which its function was given is found, and no other."""

import ast

import pytest

from grader.guest.overwriting import writes_into_arguments


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("x /= 2", [2]),
        ("x[..., 0] = 1", [2]),
        ("x[0][1] += 1", [2]),
        ("x.mul_(2)", [2]),
        ("torch.mul(x, 2, out=x)", [2]),
        ("y = x * 2\n    y += 1\n    x -= y", [4]),
        ("x = x * 2\n    x += 1", []),  # no longer what was given
        ("y = 0\n    y += 1", []),
        ("x.__init__()", []),
        ("self.x = x", []),
    ],
)
def test_only_what_was_given_counts(body: str, lines: list[int]) -> None:
    [function] = ast.parse(f"def f(x, *, eps=1):\n    {body}\n").body
    assert [*writes_into_arguments(function)] == lines

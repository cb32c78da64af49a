"""Frames of an outcome with something odd in them: the judge refuses each, or makes an outcome of it."""

import json
import random
from collections.abc import Mapping
from typing import Any

import torch

from grader.guest.execution import Call, CallStatus, Outcome, Problem, Trace
from worker.sandbox.frames import decode_outcome, encode_outcome
from worker.sandbox.framing import PREFIX, MalformedFrameError, split

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1 << 70,
    1.5,
    float("nan"),
    "",
    "\ud800",
    "y" * 300,
    [],
    {},
    [[]],
    [[None, 0, 1]],
    [["y" * 300, 1, 1]],
    {"a": {}},
]
SIZES: list[Any] = [[], [0], [0, 1 << 62, 4], [1 << 62, 4, 0], [-1], [1 << 64], [0] * 40, [24, 0], [2.0, 3], "x", None]
TYPE_NAMES: list[Any] = ["F8_E5M2", "F4", "C64", "U64", "BOOL", "F64", "x", None, 0]
CALL = Call("x/1", "f", {"a": torch.ones(2, 3)}, torch.ones(2, 3), differentiate=("a",), return_arguments=True)
SENT = encode_outcome(
    Outcome(
        CALL.id,
        CallStatus.RETURNED,
        (torch.ones(2, 3),),
        gradients={"a": torch.ones(2, 3)},
        gradient_problem=Problem("E", "m", line=1, bases=("E",), frames=((None, 1, 1),)),
        arguments={"a": torch.ones(2, 3)},
        trace=Trace(operations=1),
    )
)


def with_something_odd(fields: Mapping[str, Any], draw: random.Random) -> dict[str, Any]:
    """One value replaced, at whatever depth."""
    name = draw.choice(list(fields))
    inner = fields[name]
    is_deeper = isinstance(inner, dict) and inner and draw.random() < 0.6
    return {**fields, name: with_something_odd(inner, draw) if is_deeper else draw.choice(ODD)}


def with_odd_tensors(body: bytes, draw: random.Random) -> bytes:
    size = int.from_bytes(body[:8], "little")
    table = json.loads(body[8 : 8 + size])
    entry = table[draw.choice(list(table))]
    key = draw.choice(("dtype", "shape", "data_offsets"))
    entry[key] = draw.choice(TYPE_NAMES if key == "dtype" else SIZES)
    told = json.dumps(table).encode()
    return len(told).to_bytes(8, "little") + told + body[8 + size :]


def test_a_frame_with_anything_in_it_is_decoded_or_refused() -> None:
    draw, refused = random.Random(7), 0
    for _ in range(3000):
        fields = with_something_odd(SENT.fields, draw) if draw.random() < 0.7 else SENT.fields
        body = with_odd_tensors(bytes(SENT.body), draw) if draw.random() < 0.5 else SENT.body
        header = json.dumps({**fields, "kind": "outcome"}).encode()
        try:
            decode_outcome(CALL, split(PREFIX.pack(len(header), len(body)) + header + body), elapsed_s=0.0)
        except MalformedFrameError:
            refused += 1
    assert 1000 < refused < 3000

"""Values of every kind as frames: what is sent arrives as it was, and of a hostile frame the judge makes data, or
refuses it.
"""

import base64
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from grader.guest.execution import Call, CallStatus, Gives, Outcome, Problem
from grader.guest.moves import Move, MoveKind
from grader.guest.values import (
    MOST_DEPTH,
    MOST_TENSORS,
    MOST_VALUES,
    Array,
    Data,
    Entries,
    Handle,
    Items,
    NotDataError,
    Raised,
    Record,
    Thing,
    frozen,
    thawed,
)
from grader.paper.script import Script
from worker.sandbox.data_text import MOST_BYTES, read, write
from worker.sandbox.frames import decode_call, decode_outcome, encode_call, encode_outcome
from worker.sandbox.framing import PREFIX, Frame, MalformedFrameError, split

CALL = Call("x/1", "f", {"a": [1]}, gives=Gives.VALUES, return_arguments=True)


@dataclass
class Point:
    x: float
    y: list[int]


def numbers() -> Iterator[int]:
    yield from range(5)


ONE_OF_EACH: list[Any] = [
    None,
    True,
    -3,
    1 << 1000,
    0.1,
    -0.0,
    math.inf,
    "text \ud800 \x1b[31m",
    b"\x00\xff",
    [1, [2.0, "three"]],
    (1,),
    {"a": 1, 2: b"b", b"c": None, (1, (2, b"d")): [3]},
    Point(1.5, [2]),
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.array([True, False]),
    torch.ones(2, 3, dtype=torch.bfloat16),
    torch.tensor([1, 2]),
    numbers(),
    object(),
]


def sent(*values: Data) -> Outcome:
    return Outcome(CALL.id, CallStatus.RETURNED, values=values)


def through_a_frame(*values: Data, call: Call = CALL) -> tuple[Data, ...]:
    got = decode_outcome(call, split(encode_outcome(sent(*values)).encode()), elapsed_s=0.0).values
    assert got is not None
    return got


def alike(one: Data, other: Data) -> bool:
    match one, other:
        case torch.Tensor(), torch.Tensor():
            return one.dtype == other.dtype and torch.equal(one, other)
        case Array(a), Array(b):
            return alike(a, b)
        case Items(), Items():
            heads = (one.kind, one.is_cut, len(one.items)) == (other.kind, other.is_cut, len(other.items))
            return heads and all(map(alike, one.items, other.items))
        case Entries(a), Entries(b):
            return len(a) == len(b) and all(alike(k, m) and alike(v, w) for (k, v), (m, w) in zip(a, b, strict=True))
        case Record(a, b), Record(c, d):
            return a == c and all(alike(v, w) for (_, v), (_, w) in zip(b, d, strict=True))
        case _:
            return type(one) is type(other) and repr(one) == repr(other)


@pytest.mark.parametrize("value", ONE_OF_EACH, ids=lambda value: type(value).__name__)
def test_what_a_submission_gives_arrives_as_it_was(value: object) -> None:
    data = frozen(value)
    (got, _) = through_a_frame(data, frozen([1]))
    assert alike(data, got)


def test_what_a_call_is_given_arrives_as_it_was_and_is_made_anew() -> None:
    given = {"a": [torch.ones(2), (1, {"k": np.ones(3)})], "b": b"\x00", "c": 2.0}
    call = Call("x", "f", given, gives=Gives.VALUES, by_position=2, most_taken=7, random_seed=3)
    got = decode_call(split(encode_call(call).encode()))
    assert (got.by_position, got.most_taken, got.random_seed, got.gives) == (2, 7, 3, Gives.VALUES)
    assert [*got.arguments] == ["a", "b", "c"]
    assert all(alike(frozen(given[name]), frozen(got.arguments[name])) for name in given)
    first, second = (thawed(frozen(got.arguments["a"]), lambda _: None) for _ in range(2))
    assert first[0] is not second[0]
    assert isinstance(first[1][1]["k"], np.ndarray)


def test_a_sequence_of_calls_arrives_without_what_is_the_judges() -> None:
    script = Script("Thing")
    weight = script.let(torch.ones(2), requires_grad=True)
    thing = script.call("Thing", {"weights": [weight], "rate": 0.1}, what="the secret words")
    script.method(thing, "step", 1, named={"k": b"x"}, raises=["ValueError"])
    script.set(weight, "grad", torch.zeros(2))
    script.read([weight])
    frame = encode_call(script.as_call())
    assert b"secret" not in frame.encode()
    assert b"ValueError" not in frame.encode()
    moves = decode_call(split(frame.encode())).moves
    assert [move.kind for move in moves] == ["let", "call", "method", "set", "read"]
    assert [move.may_raise for move in moves] == [False, False, True, False, False]
    assert moves[1].named["rate"] == 0.1
    assert moves[2].target == Handle(1)


@pytest.mark.parametrize(
    "value",
    [
        [1] * (MOST_VALUES + 1),
        [torch.ones(1)] * (MOST_TENSORS + 1),
        1 << 2000,
        np.array(["text"]),
        np.array([1j]),
    ],
    ids=["many values", "many tensors", "a giant number", "an array of text", "complex numbers"],
)
def test_what_is_too_much_or_no_data_is_told_in_a_sentence(value: object) -> None:
    with pytest.raises(NotDataError, match=r"more than|cannot be compared"):
        frozen(value)


def test_what_holds_itself_is_told_in_a_sentence() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotDataError, match="deep"):
        frozen(endless)


def test_an_iterator_without_end_is_taken_to_its_bound() -> None:
    data = frozen(iter(int, 1), most_taken=4)
    assert isinstance(data, Items)
    assert (len(data.items), data.is_cut) == (4, True)
    data = frozen(numbers(), most_taken=5)
    assert isinstance(data, Items)
    assert (len(data.items), data.is_cut) == (5, False)


HOSTILE: dict[str, Any] = {
    "no list": {"l": 1},
    "an unknown tag": [["z", 1]],
    "an empty node": [[]],
    "a tag that is no text": [[1, 2]],
    "a tag that is a list": [[["l"], False]],
    "a handle": [["h", 0]],
    "bytes that are none": [["b", "*"]],
    "bytes that are a number": [["b", 7]],
    "bytes twice": [["b", "", ""]],
    "bytes with a letter beyond ASCII": [["b", "é"]],
    "a tensor that is not there": [["x", 0]],
    "a tensor below zero": [["x", -1]],
    "a list that is cut off": [["l", True]],
    "a list without a sign": [["l"]],
    "a sign that is a number": [["i", 1]],
    "a pair of three": [["d", [1, 2, 3]]],
    "a pair that is a text": [["d", "ab"]],
    "a dataclass without a name": [["r"]],
    "a dataclass of a long name": [["r", "n" * 300]],
    "a field without a name": [["r", "n", [None, 1]]],
    "an object that is none": [["o"]],
    "an object with fields": [["o", "n", 1]],
    "an exception that is none": [["e", None]],
    "an exception with half its fields": [["e", {"type": "E"}]],
    "an exception in a list": [["e", []]],
    "a giant number": [1 << 2000],
    "a number beyond every float": [(1 << 1024) - 1],
    "too deep": json.loads('["l",false,' * (MOST_DEPTH + 2) + "1" + "]" * (MOST_DEPTH + 2)),
    "too many": [1] * (MOST_VALUES + 1),
    "more than was asked for": [1, 2, 3],
    "nothing": [],
}


def frame_of(text: bytes, *, count: Any = 0, status: str = "returned") -> Frame:
    size = len(text)
    table = json.dumps({"text": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    body = len(table).to_bytes(8, "little") + table + text
    honest = encode_outcome(sent(1, frozen([1])))
    return Frame("outcome", {**honest.fields, "values": count, "status": status}, body)


def decoded(frame: Frame) -> Outcome:
    header = json.dumps({**frame.fields, "kind": "outcome"}).encode()
    raw = PREFIX.pack(len(header), len(frame.body)) + header + bytes(frame.body)
    return decode_outcome(CALL, split(raw), elapsed_s=0.0)


@pytest.mark.parametrize("nodes", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_is_refused(nodes: Any) -> None:
    text = json.dumps(nodes).encode()
    with pytest.raises(MalformedFrameError):
        decoded(frame_of(text))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[",
        b"\xff",
        b"[" * 1_000_000,
        b"[" + b"1" * 5000 + b"]",
        b'["' + b"x" * MOST_BYTES + b'"]',
    ],
    ids=["empty", "cut off", "no text", "nested without end", "a number without end", "too long"],
)
def test_a_text_that_is_no_values_is_refused_soon(text: bytes) -> None:
    before = time.process_time()
    with pytest.raises(MalformedFrameError):
        decoded(frame_of(text))
    assert time.process_time() - before < 2


@pytest.mark.parametrize("count", [None, -1, True, 1, 1.0, "0", 1 << 40, []])
def test_a_wrong_number_of_tensors_is_refused(count: Any) -> None:
    with pytest.raises(MalformedFrameError):
        decoded(frame_of(b"[1,[1]]", count=count))


def test_one_tensor_cannot_be_told_many_times() -> None:
    text, tensors = write((torch.ones(3), torch.zeros(3)))
    assert len(read(text, dict(enumerate(tensors)))) == 2
    for odd in (b'[["x",0],["x",0]]', b'[["x",1],["x",0]]', b'[["x",0]]'):
        with pytest.raises(MalformedFrameError):
            read(odd, dict(enumerate(tensors)))


def test_keys_made_to_collide_take_no_longer_than_others() -> None:
    """Whole numbers with one hash: a dictionary of them would take minutes."""
    modulus = (1 << 61) - 1
    pairs = ",".join(f"[{number * modulus},0]" for number in range(30_000))
    before = time.process_time()
    (value, _) = decoded(frame_of(f'[["d",{pairs}],["l",false,1]]'.encode())).values or ()
    assert isinstance(value, Entries)
    assert time.process_time() - before < 5


def with_something_odd(node: Any, draw: random.Random) -> Any:
    """One node replaced, at whatever depth."""
    odd: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], {}, ["l"], ["x", 0], ["h", 0], ["b", "AA"], ["e", None]]
    if isinstance(node, list) and node and draw.random() < 0.8:
        place = draw.randrange(len(node))
        return [*node[:place], with_something_odd(node[place], draw), *node[place + 1 :]]
    return draw.choice(odd)


def test_values_with_anything_in_them_are_read_or_refused() -> None:
    draw, refused, tries = random.Random(11), 0, 4000
    raised = Raised(Problem("E", "m", bases=("E", "Exception")))
    data = (*(frozen(value) for value in ONE_OF_EACH if not isinstance(value, torch.Tensor | np.ndarray)), raised)
    nodes = json.loads(write(data)[0])
    for _ in range(tries):
        try:
            read(json.dumps(with_something_odd(nodes, draw)).encode(), {})
        except MalformedFrameError:
            refused += 1
    assert tries / 10 < refused < tries


def test_bytes_with_anything_in_them_are_read_or_refused() -> None:
    draw = random.Random(12)
    honest = encode_outcome(sent(*(frozen(value) for value in (ONE_OF_EACH[11], [torch.ones(2), "a"]))))
    for _ in range(2000):
        body = bytearray(honest.body)
        for _ in range(draw.randint(1, 4)):
            body[draw.randrange(len(body))] = draw.randrange(256)
        try:
            decoded(Frame("outcome", honest.fields, bytes(body)))
        except MalformedFrameError:
            continue


def test_a_sequence_shows_no_more_than_it_was_asked_for() -> None:
    move = Move(MoveKind.READ, target=1)
    call = Call("x/1", "f", {}, gives=Gives.VALUES, moves=(move, move))
    assert through_a_frame(1, 2, call=call) == (1, 2)
    for values in ((), (1,), (1, 2, 3)):
        with pytest.raises(MalformedFrameError):
            through_a_frame(*values, call=call)


def test_one_that_raised_may_have_shown_something_before() -> None:
    move = Move(MoveKind.READ, target=1)
    call = Call("x/1", "f", {}, gives=Gives.VALUES, moves=(move, move))
    outcome = Outcome("x/1", CallStatus.RAISED, values=(1,), problem=Problem("E", "m"))
    assert decode_outcome(call, split(encode_outcome(outcome).encode()), elapsed_s=0.0).values == (1,)


def test_a_call_of_tensors_takes_no_values() -> None:
    call = Call("x/1", "f", {"a": torch.ones(1)})
    with pytest.raises(MalformedFrameError):
        decode_outcome(call, split(encode_outcome(sent(1)).encode()), elapsed_s=0.0)


def test_a_name_of_a_type_is_fit_to_be_shown() -> None:
    (value, _) = through_a_frame(Thing("a\x1b[31m\u202e"), None)
    assert value == Thing("a\ufffd[31m\ufffd")


def test_bytes_are_sent_in_base_64() -> None:
    text, _ = write((b"\x00\xff",))
    assert json.loads(text) == [["b", base64.b64encode(b"\x00\xff").decode()]]

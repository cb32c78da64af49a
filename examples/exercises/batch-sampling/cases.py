"""The case families of batch-sampling: one generator each. Name = what is probed; docstring = why.

A random batch has no right values. So it is looked at in three ways: where there is one window, it is known; of tokens
that rise by equal steps, differences within a batch are known; and the first tokens of many rows are compared with the
distribution.
"""

from collections.abc import Iterator

import numpy as np
import torch

from grader.authoring import Call, Case, Discrete, Draw, Gives, Script, StructureCall

FUNCTION = "sample_batch"
STEP = 3  # between tokens that rise: no divisor of a power of two, so that what overflows shows
ROWS = 2000  # of which the places are counted
MANY_ROWS = 4096  # where what is wrong shows in a twelfth of them
SMALL_BATCHES = 250  # a sandbox gives no more than 512 tensors


def _ids(draw: Draw, count: int, below: int = 30_000) -> np.ndarray:
    """Any tokens."""
    return np.array([draw.integer(0, below - 1) for _ in range(count)])


def _held(script: Script, ids: np.ndarray, kind: str) -> object:
    """The tokens in the sandbox, as an array of this dtype or as a tensor. Unsigned numbers do not travel, so they are
    made there.
    """
    if kind == "tensor":
        return script.let(torch.from_numpy(ids))
    made = script.let(ids)
    return made if kind == "int64" else script.method(made, "astype", kind, is_compared=False)


def _batch(
    script: Script,
    tokens: object,
    batch_size: int,
    context_length: int,
    *,
    device: str = "cpu",
    is_compared: bool = False,
) -> object:
    arguments = {"tokens": tokens, "batch_size": batch_size, "context_length": context_length, "device": device}
    return script.call(FUNCTION, arguments, what="batch", is_compared=is_compared)


def _only(ids: np.ndarray, batch_size: int, *, kind: str = "int64") -> Call:
    """A batch of tokens that have one window: it is known. With a seed, what is wrong by chance is wrong again."""
    script = Script(FUNCTION)
    _batch(script, _held(script, ids, kind), batch_size, len(ids) - 1, is_compared=True)
    return script.as_call(random_seed=len(ids))


def _seeded(draw: Draw, script: Script) -> Call:
    return script.as_call(random_seed=draw.integer(0, 2**31))


def _rising(draw: Draw, name: str, title: str, given: dict, calls: int = 1) -> Case:
    """Batches of tokens that rise by STEP, of which all is known but where the windows begin. There are so many rows that
    every way in which a mistake can show is among them.
    """
    ids = given["first"] + STEP * np.arange(given["context_length"] + given["places"])
    script = Script(FUNCTION)
    tokens = _held(script, ids, given["kind"])
    batches = [_batch(script, tokens, given["batch_size"], given["context_length"]) for _ in range(calls)]
    script.read(batches, what="batches" if calls > 1 else "list with the batch")

    def known(drawn: list[tuple[torch.Tensor, torch.Tensor]]) -> dict[str, list[int]]:
        inputs, targets = (torch.cat([batch[place] for batch in drawn]) for place in (0, 1))
        return {
            "all differences targets - inputs": (targets - inputs).unique().tolist(),
            "all differences inputs[:, 1:] - inputs[:, :-1]": inputs.diff().unique().tolist(),
            "all inputs are among the tokens": bool(torch.isin(inputs, torch.from_numpy(ids)).all()),
        }

    return Case(name, title, _seeded(draw, script), statistic=known)


def _places(batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Where the windows begin, of tokens that are the numbers of their places."""
    return batch[0][:, 0]


def _on_meta(script: Script, tokens: object, batch_size: int, context_length: int) -> None:
    """There are no values to look at."""
    batch = _batch(script, tokens, batch_size, context_length, device="meta")
    for place, name in enumerate(("inputs", "targets")):
        part = script.item(batch, place)
        script.read(part, "is_meta", what=f"`{name}.is_meta` with device='meta'")
        script.read(part, "shape", what=f"`{name}.shape` with device='meta'")


def values(draw: Draw) -> Iterator[Case]:
    """One window, so that all is known; and the example of spec.md."""
    yield Case("example", "the example in the exercise", _only(np.array([5, 8, 2, 9]), 2))
    for name, batch_size, length in (("row", 1, 5), ("square", 4, 4), ("rows", 7, 3), ("token", 3, 1), ("long", 2, 64)):
        call = _only(_ids(draw, length + 1), batch_size)
        yield Case(name, f"batch_size = {batch_size}, context_length = {length}, one window", call)


def windows(draw: Draw) -> Iterator[Case]:
    """A row is a window: neighbours stay neighbours, and the target is the next token."""
    for name, batch_size, length, places in (
        ("few", 300, 3, 4),
        ("square", 20, 20, 2),
        ("token", 300, 1, 4),
        ("one", 1, 5, 1),
    ):
        given = {"batch_size": batch_size, "context_length": length, "places": places, "kind": "int64"}
        title = f"batch_size = {batch_size}, context_length = {length}, {length + places} tokens that rise by {STEP}"
        yield _rising(draw, name, title, given | {"first": draw.integer(1, 999)})
    hint = "A token's target is the input of the next place."
    arguments = {"tokens": _ids(draw, 6), "batch_size": 300, "context_length": 4, "device": "cpu"}
    call = Call("", FUNCTION, arguments, gives=Gives.VALUES, random_seed=draw.integer(0, 2**31))
    title = "inputs and targets overlap in all but one token"
    yield Case("overlap", title, call, hint=hint, what="batch", statistic=_overlap)


def _overlap(batch: tuple[torch.Tensor, torch.Tensor]) -> dict[str, list[int]]:
    inputs, targets = batch
    return {"all differences inputs[:, 1:] - targets[:, :-1]": (inputs[:, 1:] - targets[:, :-1]).unique().tolist()}


def starts(draw: Draw) -> Iterator[Case]:
    """A token that no window holds is never learned."""
    hint = "Every place from 0 to N - context_length - 1 is as likely as any other."
    for name, count, length, rows in (("few", 4, 2, MANY_ROWS), ("more", 8, 1, ROWS), ("short", 3, 6, ROWS)):
        ids, seed = np.arange(count + length), draw.integer(0, 2**31)
        arguments = {"tokens": ids, "batch_size": rows, "context_length": length, "device": "cpu"}
        call = Call("", FUNCTION, arguments, gives=Gives.VALUES, random_seed=seed)
        title = f"{count + length} tokens, context_length = {length}: {count} places in {rows} rows"
        alike = Discrete(dict.fromkeys(range(count), 1 / count))
        what = "places where windows begin"
        yield Case(name, title, call, distribution=alike, statistic=_places, hint=hint, what=what)
    script = Script(FUNCTION)
    tokens = _held(script, np.arange(6), "int64")
    script.read([_batch(script, tokens, ROWS, 2) for _ in range(2)], what="numbers, 1 where both calls draw one place")
    hint = "Each call draws anew: do not set a seed, and go on from nothing."
    chance = Discrete({0: 0.75, 1: 0.25})
    title = "two calls with the same arguments, 4 places"
    yield Case("twice", title, _seeded(draw, script), distribution=chance, statistic=_repeated, hint=hint)
    script = Script(FUNCTION)
    tokens = _held(script, np.arange(4), "int64")
    inputs = [script.item(_batch(script, tokens, 2, 2), 0) for _ in range(SMALL_BATCHES)]
    script.read(inputs, what="places where windows begin")
    even = Discrete({0: 0.5, 1: 0.5})
    title = f"two rows in each of {SMALL_BATCHES} calls, 2 places"
    hint = "A place may come twice in a batch, also where there are enough places for all rows."
    yield Case("pairs", title, _seeded(draw, script), distribution=even, statistic=_all_places, hint=hint)
    script = Script(FUNCTION)
    arguments = {"tokens": _held(script, np.arange(6), "int64"), "batch_size": ROWS, "context_length": 2}
    script.call("batches_of_two_runs", arguments, what="numbers, 1 where both runs draw one place")
    hint = (
        "Numbers that begin anew with every run are always the same ones: draw from a source that nobody has to start."
    )
    title = "the first calls of two runs, 4 places"
    yield Case("runs", title, _seeded(draw, script), distribution=chance, statistic=_repeated, hint=hint)


def _all_places(inputs: list[torch.Tensor]) -> torch.Tensor:
    """Of many batches, one after the other."""
    return torch.cat(inputs)[:, 0]


def _repeated(batches: list) -> torch.Tensor:
    first, other = map(_places, batches)
    return (first == other).long()


def tokens(draw: Draw) -> Iterator[Case]:
    """Files of tokens are uint16 as a rule; models want int64."""
    hint = "The result is int64, and ids of uint16 go up to 65,535."
    for name, kind, below in (
        ("uint16", "uint16", 30_000),
        ("uint16-large", "uint16", 65_536),
        ("int32", "int32", 30_000),
        ("int32-large", "int32", 2**31),
        ("int64-large", "int64", 2**40),
        ("tensor", "tensor", 30_000),
    ):
        ids = _ids(draw, 6, below)
        ids[draw.integer(0, 5)] = below - 1
        what = "a tensor" if kind == "tensor" else f"an array of dtype {kind}"
        yield Case(name, f"{what}, ids below {below:,}", _only(ids, 3, kind=kind), hint=hint)


def contract(draw: Draw) -> Iterator[Case]:
    """What training takes for granted."""
    for kind in ("uint16", "int64", "tensor"):
        script = Script(FUNCTION)
        tokens = _held(script, _ids(draw, 30), kind)
        _batch(script, tokens, 8, 4)
        seen = script.method(tokens, "astype", "int64", is_compared=False) if kind == "uint16" else tokens
        script.read(seen, what="tokens after the call")
        what = "a tensor of tokens stays as it is" if kind == "tensor" else f"tokens of dtype {kind} stay as they are"
        yield Case(f"unchanged-{kind}", what, _seeded(draw, script))
    script = Script(FUNCTION)
    _on_meta(script, _held(script, _ids(draw, 20), "int64"), 3, 4)
    yield Case("device", "both tensors are on the device", _seeded(draw, script), hint="`device` says where.")
    few = "A window needs context_length tokens, and one more for the last target."
    for name, count, length in (("as-many", 4, 4), ("fewer", 3, 4), ("none", 0, 1)):
        script = Script(FUNCTION)
        tokens = script.let(_ids(draw, count).astype(np.int64))
        arguments = {"tokens": tokens, "batch_size": 2, "context_length": length, "device": "cpu"}
        script.call(FUNCTION, arguments, what=f"answer to {count} tokens", raises=["ValueError"])
        title = f"{count} tokens with context_length = {length} are refused"
        yield Case(f"too-few-{name}", title, script.as_call(), hint=few)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged."""
    return [StructureCall(_only(_ids(draw, 6), 3))]


def workload(draw: Draw) -> Call:
    """What is timed: a batch as in practice, of the only window, for its values must be known."""
    return _only(_ids(draw, 257), 64, kind="uint16")


def example(draw: Draw, batch_size: int, context_length: int) -> Call:
    """What a student may try by hand."""
    return _only(_ids(draw, context_length + 1, 10), batch_size)


EXAMPLE_SIZES = (
    {"batch_size": 1, "context_length": 1},
    {"batch_size": 1, "context_length": 2},
    {"batch_size": 2, "context_length": 1},
    {"batch_size": 2, "context_length": 3},
)

FAMILIES = {
    "values": values,
    "windows": windows,
    "starts": starts,
    "tokens": tokens,
    "contract": contract,
}

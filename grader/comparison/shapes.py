"""What a wrong shape means: which step was left out or done twice. Says nothing where two slips fit."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from grader.guest.execution import Call

Shape = tuple[int, ...]
# What exercises about attention call the number of heads, and the keys where those are an argument of their own.
NUM_HEADS = ("num_heads", "n_heads", "n_head", "nhead", "heads")
KEYS = ("K", "k", "key", "keys")


@dataclass(frozen=True)
class Slip:
    """A known slip in words, and the shape that it gives."""

    shape: Shape
    sentence: str


def explain_shape(call: Call, right: Shape, found: Shape) -> str:
    """One sentence on how `found` may have come about where `right` is asked for, or nothing."""
    if found == right or not right:
        return ""
    sentences = {slip.sentence for slip in _slips(call, right) if slip.shape == found}
    if not sentences and not found:
        return "It is a single number: something was summed or averaged over all axes."
    return sentences.pop() if len(sentences) == 1 else ""


def _slips(call: Call, right: Shape) -> Iterator[Slip]:
    if len(right) >= 2:
        yield from _of_heads(call, right)
        yield from _of_pairs(right)
        yield from _of_scores(call, right)
        yield from _of_axes(right)
    yield from _of_batches(right)


def _of_heads(call: Call, right: Shape) -> Iterator[Slip]:
    """Slips of splitting and merging."""
    heads = _num_heads(call)
    *lead, seq, width = right
    if heads is None or heads < 1 or width % heads:
        return
    head = width // heads
    yield Slip(
        (*lead, heads, seq, head),
        "That is (..., heads, sequence, head width): the heads have not been merged yet.",
    )
    yield Slip(
        (*lead, seq, heads, head),
        "That is (..., sequence, heads, head width): the heads are back behind the sequence but not merged yet.",
    )
    if heads == 1:
        return
    yield Slip(
        (*lead, seq, head),
        "That is as wide as a single head: concatenate the heads instead of summing, averaging or picking one.",
    )
    yield Slip(
        (*lead, heads, seq, _keys(call) or seq),
        "That is (..., heads, queries, keys): these are the attention weights, before they are applied to the values.",
    )
    yield Slip(
        (*lead, heads, seq, width),
        "That has an axis of heads and the full width as well: the features were not divided among the heads.",
    )
    if lead:
        *outer, batch = lead
        yield Slip(
            (*outer, batch * heads, seq, head),
            "That is (batch times heads, sequence, head width): batch and heads are still one axis.",
        )


def _of_pairs(right: Shape) -> Iterator[Slip]:
    """Slips of treating the last axis as pairs."""
    *lead, width = right
    if width % 2 or width < 4:
        return
    yield Slip((*lead, width // 2, 2), "The pairs still have their own axis: join them into one axis again.")
    yield Slip((*lead, 2, width // 2), "The two halves still have their own axis: join them into one axis again.")
    yield Slip((*lead, width // 2), "Only half of the features are there: both members of each pair are needed.")
    yield Slip((*lead, 2 * width), "There are twice as many features as expected: something is included twice.")


def _of_scores(call: Call, right: Shape) -> Iterator[Slip]:
    """Weights in place of what they weigh; of one head, or averaged over all of them."""
    *lead, queries, _ = right
    keys = _keys(call) or (None if _num_heads(call) is None else queries)
    if keys is not None:
        yield Slip(
            (*lead, queries, keys),
            "That is (..., queries, keys): these are the attention weights, before they are applied to the values.",
        )


def _num_heads(call: Call) -> int | None:
    given = (call.arguments.get(name) for name in NUM_HEADS)
    return next((heads for heads in given if isinstance(heads, int)), None)


def _keys(call: Call) -> int | None:
    """How many keys there are, where they are an argument of their own."""
    given = (call.arguments.get(name) for name in KEYS)
    return next((keys.shape[-2] for keys in given if isinstance(keys, Tensor) and keys.dim() >= 2), None)


def _of_axes(right: Shape) -> Iterator[Slip]:
    """The last two axes, exchanged, joined or one of them gone."""
    *lead, seq, width = right
    yield Slip((*lead, width, seq), "The last two axes are swapped: it should be (..., sequence, features).")
    yield Slip((*lead, seq * width), "Sequence and features were flattened into one axis.")
    yield Slip((*lead, width), "The sequence axis is missing: every token needs its own result.")
    yield Slip((*lead, seq), "The feature axis is missing: something was summed or picked along it.")
    yield Slip((*lead, seq, 3 * width), "That is three times as wide: queries, keys and values side by side.")


def _of_batches(right: Shape) -> Iterator[Slip]:
    """Leading axes lost, found or in another order."""
    yield Slip((1, *right), "There is an extra axis of size 1 in front: it was added along the way and never removed.")
    if len(right) < 3:
        return
    *lead, seq, width = right
    yield Slip(
        tuple(size for size in right if size != 1), "An axis of size 1 is missing: `squeeze` removes all of them."
    )
    if right[0] != 1:
        yield Slip(right[1:], "The first batch axis is missing: every sequence of the batch needs its own result.")
    if len(lead) == 1:
        yield Slip((seq, lead[0], width), "Batch and sequence are swapped.")
    if len(lead) == 2:
        yield Slip((lead[0] * lead[1], seq, width), "The two batch axes are still merged: separate them again.")
        yield Slip((lead[1], lead[0], seq, width), "The two batch axes are swapped.")

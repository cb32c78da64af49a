"""What a wrong shape means: which step was left out or done twice. Says nothing where two slips fit."""

from collections.abc import Iterator

from grader.comparison.attention import slips_of_attention
from grader.comparison.slip import Shape, Slip
from grader.guest.execution import Call


def explain_shape(call: Call, right: Shape, found: Shape) -> str:
    """Says in one sentence how `found` may have come about where `right` is asked for, or says nothing."""
    if found == right or not right:
        return ""
    sentences = {slip.sentence for slip in _slips(call, right) if slip.shape == found}
    if not sentences and not found:
        return "It is a single number: something was summed or averaged over all axes."
    return sentences.pop() if len(sentences) == 1 else ""


def _slips(call: Call, right: Shape) -> Iterator[Slip]:
    if len(right) >= 2:
        yield from slips_of_attention(call, right)
        yield from _of_pairs(right)
        yield from _of_axes(right)
    yield from _of_batches(right)


def _of_pairs(right: Shape) -> Iterator[Slip]:
    """Slips of treating the last axis as pairs."""
    *lead, width = right
    if width % 2 or width < 4:
        return
    yield Slip((*lead, width // 2, 2), "The pairs still have their own axis: join them into one axis again.")
    yield Slip((*lead, 2, width // 2), "The two halves still have their own axis: join them into one axis again.")
    yield Slip((*lead, width // 2), "Only half of the features are there: both members of each pair are needed.")
    yield Slip((*lead, 2 * width), "There are twice as many features as expected: something is included twice.")


def _of_axes(right: Shape) -> Iterator[Slip]:
    """The last two axes, exchanged, joined or one of them gone."""
    *lead, seq, width = right
    yield Slip((*lead, width, seq), "The last two axes are swapped: it should be (..., sequence, features).")
    yield Slip((*lead, seq * width), "Sequence and features were flattened into one axis.")
    yield Slip((*lead, width), "The sequence axis is missing: every token needs its own result.")
    yield Slip((*lead, seq), "The feature axis is missing: something was summed or picked along it.")


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

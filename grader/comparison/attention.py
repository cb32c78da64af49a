"""All that comparison knows of attention: what exercises call its arguments, and what its wrong shapes mean."""

from collections.abc import Iterator

from torch import Tensor

from grader.comparison.slip import Shape, Slip
from grader.guest.execution import Call

NUM_HEADS = ("num_heads", "n_heads", "n_head", "nhead", "heads")
KEYS = ("K", "k", "key", "keys")  # where they are an argument of their own
OUTPUT_PROJECTIONS = ("o_proj_weight", "out_proj_weight")  # what mixes the heads: undone, it shows which are wrong


def slips_of_attention(call: Call, right: Shape) -> Iterator[Slip]:
    """Yields the slips of splitting and merging heads, and of leaving out the values. `right` has two axes or more."""
    yield from _of_heads(call, right)
    yield from _of_scores(call, right)
    *lead, width = right
    yield Slip((*lead, 3 * width), "That is three times as wide: queries, keys and values side by side.")


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

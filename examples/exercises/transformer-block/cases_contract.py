"""A case family of transformer-block, run after cases.py: what a caller may rely on."""

from dataclasses import replace


def contract(draw: Draw) -> Iterator[Case]:
    """Nothing of the caller's changes, and nothing is remembered."""
    arguments = _arguments(draw, positions=draw.distinct(6, 30) + 1)
    call = Call("", BLOCK, arguments, return_arguments=True)
    hint = "A method that ends in an underscore, and +=, write into their tensor."
    yield Case("unchanged", "arguments do not change", call, aspects=frozenset({Aspect.ARGUMENTS}), hint=hint)
    kept = "The dictionary of weights is the caller's: read from it, and leave it as it is."
    told = "number of weights that the caller's dictionary still has"
    left = _case(draw, "dictionary", "the dictionary of weights after the call", {"way": "looked at after"}, hint=kept)
    yield replace(left, what=told)
    yield _case(draw, "other-theta", "the sizes of an earlier call with theta = 30", theta=30.0)
    by_position = {"token_positions": draw.distinct(6, 40), "max_seq_len": 40, "eps": 0.1}
    order = "Keep the parameters in the order of the spec."
    yield _case(
        draw, "by-position", "all arguments given by position", by_position | {"way": "by position"}, hint=order
    )
    yield from _rewritten(draw)
    by_name = "Look each weight up by its name."
    title = "keys of weights in another order, though shapes are in the order of the table"
    yield _case(draw, "exchanged-keys", title, {"keys": "exchanged"}, hint=by_name)


def _rewritten(draw: Draw) -> Iterator[Case]:
    """The very same tensors, with other values in them, as an optimiser and a loop over batches leave them."""
    stale = (
        "These are the tensors of the previous call with new values: keep nothing that was computed from the old ones."
    )
    for mode in (GradMode.DEFAULT, GradMode.NO_GRAD):
        told = "" if mode is GradMode.DEFAULT else ", under no_grad"
        first = _arguments(draw, positions=draw.distinct(6, 40)) | {"max_seq_len": 40}
        call = Call("", BLOCK, first, grad_mode=mode)
        yield Case(f"before-{mode}", f"a call that is followed by another{told}", call, growth=_growth(draw, first))
        later = _arguments(draw, positions=draw.distinct(6, 40)) | {"max_seq_len": 40}
        call = replace(call, arguments=later, reused=("x", "token_positions", *NAMES))
        title = f"new values in the tensors of the previous call{told}"
        yield Case(f"rewritten-{mode}", title, call, growth=_growth(draw, later), hint=stale)


FAMILIES["contract"] = contract

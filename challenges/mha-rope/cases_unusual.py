"""What the contract of mha-rope leaves open, run after cases.py."""

# bfloat16 keeps three digits; right code is off by 0.004 of the largest value, measured over many solutions.
BFLOAT16_GROWTH = 3e-2 / torch.finfo(torch.float32).eps


def unusual(draw: Draw) -> Iterator[tuple[Case, bool]]:
    """What the contract leaves open, and whether refusing it is an answer: remarks, never points."""
    half = _arguments(draw, dtype=torch.bfloat16, d_head=8)
    yield (
        Case(
            "half-precision",
            "Inputs and weights in bfloat16",
            Call("half-precision", MHA, half),
            growth=BFLOAT16_GROWTH,
            hint="Models are trained like this: give cosines and sines the dtype of the tensor they rotate.",
        ),
        False,
    )
    narrow = _arguments(draw, positions=torch.arange(7, dtype=torch.int32) * 3)
    yield (
        Case(
            "int32-positions",
            "Positions as an int32 tensor",
            Call("int32-positions", MHA, narrow),
            growth=_growth(draw, narrow),
            hint="Some code uses int32; .long() handles both.",
        ),
        False,
    )
    beyond = _arguments(draw, positions=torch.arange(7) + 40) | {"max_seq_len": 32}
    yield (
        Case(
            "beyond-max-seq-len",
            "Positions of max_seq_len or more",
            Call("beyond-max-seq-len", MHA, beyond),
            growth=_growth(draw, beyond),
            hint="Callers must not ask for this, but an error would be better than a wrong number.",
        ),
        True,
    )
    part = _rope_arguments(draw, (2, 5, 8), torch.arange(5) + 2)
    yield (
        Case(
            "rope-non-contiguous",
            "rope of a transposed tensor",
            Call("rope-non-contiguous", "rope", part, strided=("in_query_or_key",)),
            growth=16 + 2 * 7,
            hint="A view of a transposed tensor is often impossible; reshape copies when it needs to.",
        ),
        False,
    )

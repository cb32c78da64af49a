"""The case families of mha-homework: those of mha-module that speak of MultiHeadAttention, which is all that is asked for."""

KNOWN_EXAMPLES = KNOWN_EXAMPLES[:1]
del FAMILIES["causal-attention"], FAMILIES["wrapper"]


def _registered(draw):
    """There is no wrapper whose heads could be kept in a list."""
    del draw
    return ()


def structure(draw):
    """Calls that are watched, not judged: 1 and 16 heads of the same width."""
    arguments = {count: _arguments(draw, heads=count, width=4, tokens=5) for count in (1, 16)}
    return [Call(f"heads-{count}", MHA, given, observe=True) for count, given in arguments.items()]

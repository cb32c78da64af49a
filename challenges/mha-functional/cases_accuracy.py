"""Case families of mha-functional, run after cases.py: numbers that are harder, and gradients."""

from grader.authoring import Aspect, Flaw, Hint


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large scores of both signs, longer sums."""
    overflow = Hint("exp of a large score overflows: subtract the row's maximum first.", Flaw.NOT_FINITE)
    yield _large_scores_case(draw, overflow)
    low = "A hidden score must be below all the others, however low those are: use minus infinity."
    yield _judged(draw, "low-scores", "all scores below -200, and a mask", _low_scores(draw), hint=low)
    apart = "Each row needs its own maximum: with a shared one, a row of low scores vanishes, and 0 / 0 is NaN."
    title = "every other query's scores above 200, the rest below -200"
    yield _judged(draw, "scores-far-apart", title, _scores_far_apart(draw), hint=apart)
    yield _case(draw, "longer", "67 tokens, 128 features", batch=2, queries=67, heads=8, d_head=16)
    many = draw.integer(150, 250)
    masked = {"queries": many, "keys": many + 7, "mask": _mask(draw, 2, many, many + 7)}
    yield _case(draw, "many-tokens", f"{many} queries, {many + 7} keys, and a mask", batch=2, **masked)


def _large_scores_case(draw: Draw, hint: Hint) -> Case:
    """Self-attention, as it is called most often: one tensor three times."""
    arguments = _arguments(draw, gain=4.0)
    arguments |= dict.fromkeys(INPUTS, arguments["q"])
    title = "one tensor as q, k and v, scores of several hundred"
    return _judged(draw, "large-scores", title, arguments, hint=hint, shared=INPUTS)


def _low_scores(draw: Draw) -> dict:
    """Queries and keys point away from each other, in one head: all scores are about equal, and far below zero."""
    arguments = _arguments(draw, heads=1, d_head=8, mask=_mask(draw, 3, 5, 5))
    identity = torch.eye(8)
    arguments["in_proj_weight"][:16] = torch.cat((identity, identity))
    arguments["q"] = 10 + 0.2 * arguments["q"]
    arguments["k"] = -10 + 0.2 * arguments["k"]
    return arguments


def _scores_far_apart(draw: Draw) -> dict:
    """Every other query points where the keys point, the rest away from them."""
    arguments = _low_scores(draw) | {"mask": None}
    arguments["q"][:, ::2] *= -1
    return arguments


def input_gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient of each input, in values, not only in existence."""
    for name in INPUTS:
        yield _gradient_case(draw, name, f"gradient of {name}", (name,))


def weight_gradients(draw: Draw) -> Iterator[Case]:
    """A weight copied into a module gets no gradient: the usual slip of a class pasted behind a function."""
    for name in WEIGHTS:
        yield _gradient_case(draw, name, f"gradient of {name}", (name,))


def _gradient_case(draw: Draw, name: str, title: str, of: tuple[str, ...]) -> Case:
    arguments = _arguments(draw, mask=_mask(draw, 3, 5, 5))
    upstream = draw.normal(*arguments["q"].shape)
    call = Call("", MHA, arguments, gradient=upstream, differentiate=of)
    return Case(name, title, call, growth=4 * _growth(draw, arguments), aspects=frozenset({Aspect.GRADIENTS}))


FAMILIES |= {"accuracy": accuracy, "input-gradients": input_gradients, "weight-gradients": weight_gradients}

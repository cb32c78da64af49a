"""Case families of mha-module, run after cases.py: numbers that are harder, and gradients."""

from grader.authoring import Aspect


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large logits, longer sums, other dtypes and layouts."""
    overflow = "exp of a large score overflows: subtract the row's maximum first, or use torch.softmax."
    yield _case(draw, "large-logits", "scores of several hundred", gain=8.0, tokens=9, hint=overflow)
    apart = "Each row needs its own maximum, and a hidden score must be below all the others: use minus infinity."
    arguments = _scores_far_apart(draw)
    title = "every other token's scores above 200, the rest below -200"
    # Here the logits meet the bound of which _growth takes a third.
    yield Case("scores-far-apart", title, Call("", MHA, arguments), growth=3 * _growth(arguments), hint=apart)
    yield _case(draw, "longer", "67 tokens, 128 features", batch=2, tokens=67, heads=8, width=16, d_in=96)
    yield _case(draw, "float64", "the module and its input in float64", dtype=torch.float64, bias=True)
    arguments = _arguments(draw)
    yield Case(
        "non-contiguous",
        "an input that is not contiguous",
        Call("", MHA, arguments, strided=("x",)),
        growth=_growth(arguments),
        hint="This input is not contiguous: `view` rejects it, `reshape` does not.",
    )
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"{many} tokens", batch=2, tokens=many)


def _scores_far_apart(draw: Draw) -> dict:
    """A query comes from feature 0, whose sign alternates; a key from feature 1, which hardly differs: each row of
    scores lies far from the next, and close together itself.
    """
    arguments = _arguments(draw, heads=2)
    x = arguments["x"]
    x[..., 0] = 10 * (-1) ** torch.arange(x.shape[-2])
    x[..., 1] = 10 + 0.2 * x[..., 1]
    for role, feature in (("query", 0), ("key", 1)):
        arguments[f"{role}_weight"] = torch.eye(x.shape[-1])[feature].repeat(2 * 6, 1)
    return arguments


def input_gradient(draw: Draw) -> Iterator[Case]:
    """Layers below learn through this one."""
    yield _gradient_case(draw, "batched", "gradient of x", "x")
    yield _gradient_case(draw, "shorter", "gradient of x, far fewer tokens than context_length", "x", spare=20)
    title = "gradient of x in float64, with qkv_bias=True"
    yield _gradient_case(draw, "float64", title, "x", bias=True, dtype=torch.float64)


def weight_gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient of each layer, in values, not only in existence."""
    for role in (*ROLES, "output"):
        yield _gradient_case(draw, role, f"gradient of the {role} weights", f"{role}_weight")
    yield _gradient_case(draw, "query-bias", "gradient of the query bias", "query_bias", bias=True)
    yield _gradient_case(draw, "output-bias", "gradient of the bias of out_proj", "output_bias")


def _gradient_case(draw: Draw, name: str, title: str, of: str, **sizes: object) -> Case:
    arguments = _arguments(draw, **sizes)
    upstream = draw.normal(*arguments["x"].shape[:2], arguments["d_out"], dtype=arguments["x"].dtype)
    call = Call("", MHA, arguments, gradient=upstream, differentiate=(of,))
    return Case(name, title, call, growth=4 * _growth(arguments), aspects=frozenset({Aspect.GRADIENTS}))


FAMILIES |= {"accuracy": accuracy, "input-gradient": input_gradient, "weight-gradients": weight_gradients}

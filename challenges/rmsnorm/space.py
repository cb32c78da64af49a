"""Any call of rmsnorm that the spec allows, for the family `combinations`."""

from grader.authoring import Space

AXES = {
    "none": (),
    "(tokens)": ("tokens",),
    "(sequences, tokens)": ("sequences", "tokens"),
}
EPS = {"left out": None, "zero": 0.0, "1e-8": 1e-8, "the integer 2": 2}
DTYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16}
ASKED = {"of x": ("x",), "of the weight": ("weight",), "of both": ("x", "weight")}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
NEAR_THE_END = 15_000  # and up to four times that: of float16
# Of the output's gradient, so that in float16 those of x are neither infinite nor hardly there.
UPSTREAM = {
    "usual": 1.0,
    "small values": 0.1,
    "small values and a vector of zeros": 0.1,
    "values of tens of thousands": 100.0,
}

DIMENSIONS = {
    "d_model": (1, 2, 3, 4, 5),
    "leading axes": tuple(AXES),
    "tokens": (1, 2, 3, 4, 5),
    "sequences": (1, 2, 3, 4, 5),
    "values": tuple(UPSTREAM),
    "weight": ("usual", "with a zero"),
    "eps": tuple(EPS),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "transposed", "expanded"),
    "gradients": ("none", *MODES, *ASKED),
}


def _settled(choice):
    for name in {"tokens", "sequences"} - {*AXES[choice["leading axes"]]}:
        del choice[name]
    if choice["leading axes"] == "none":
        choice["layout"] = "contiguous"
    if choice["eps"] == "zero" and choice["values"] == "small values and a vector of zeros":
        choice["values"] = "small values"  # 0 / 0 is no number
    if choice["d_model"] == 1 and "x" in ASKED.get(choice["gradients"], ()):
        choice["weight"] = "usual"  # of a weight of zeros alone no gradient comes to x
    is_its_own_size = choice["values"] in ("usual", "values of tens of thousands") or choice["eps"] == "zero"
    if choice["d_model"] == 1 and is_its_own_size and "x" in ASKED.get(choice["gradients"], ()):
        choice["gradients"] = "of the weight"  # of a number over its own size nothing is left for x but rounding
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("sequences", "tokens", "d_model") if name in choice}


def _chosen_x(draw, choice):
    """Rows differ in size, and none is centred."""
    shape = tuple(_sizes(choice).values())
    drawn = (1, *shape[1:]) if choice["layout"] == "expanded" else shape
    if choice["values"] == "values of tens of thousands":
        x = NEAR_THE_END * draw.normal(*drawn).sign() * (1 + draw.normal(*drawn).abs().clamp(max=3))
    else:
        size = 1.0 if choice["values"] == "usual" else 0.3 * math.sqrt(EPS[choice["eps"]] or DEFAULT)
        x = size * (1 + draw.normal(*drawn[:-1], 1).abs()) * (draw.normal(*drawn) + draw.choice([-0.7, 0.7]))
    if choice["values"] == "small values and a vector of zeros":
        x.view(-1, shape[-1])[0] = 0
    return x.expand(shape).contiguous()


def _combination(draw, choice):
    dtype, of = DTYPES[choice["dtype"]], ASKED.get(choice["gradients"], ())
    x, eps = _chosen_x(draw, choice).to(dtype), EPS[choice["eps"]]
    weight = (draw.normal(choice["d_model"]) + 0.3).to(dtype)
    if choice["weight"] == "with a zero":
        weight[draw.integer(0, choice["d_model"] - 1)] = 0
    gradient = (UPSTREAM[choice["values"]] * draw.normal(*x.shape)).to(dtype) if of else None
    call = Call(
        "",
        FUNCTION,
        {"x": x, "weight": weight} | ({} if eps is None else {"eps": eps}),
        gradient=gradient,
        differentiate=of,
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        strided=("x",) if choice["layout"] == "transposed" else (),
        expanded=("x",) if choice["layout"] == "expanded" else (),
        return_arguments=True,
    )
    growth = _growth(x) * (1 if gradient is None else _cancelling(x, weight, eps, gradient, of))
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    return Case("", _told(choice), call, growth=growth, aspects=aspects)


def _cancelling(x, weight, eps, gradient, of):
    """Gradients are differences and sums of what may cancel: how many times larger is that than what is left?"""
    x, weighed, gradient = x.double(), gradient.double() * weight.double(), gradient.double()
    rms = (x.square().mean(-1, keepdim=True) + (DEFAULT if eps is None else eps)).sqrt()
    normed = (x / rms).reshape(-1, x.shape[-1])
    taken, left = {}, {}
    taken["x"] = weighed / rms
    left["x"] = taken["x"] - x * (weighed * x).mean(-1, keepdim=True) / rms**3
    taken["weight"] = (gradient.reshape(normed.shape) * normed).abs().sum(0)
    left["weight"] = (gradient.reshape(normed.shape) * normed).sum(0)
    return max(1.0, *((taken[name].abs().amax() / left[name].abs().amax()).nan_to_num().item() for name in of))


def _told(choice):
    told = (
        f"x of shape {tuple(_sizes(choice).values())}",
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["values"] == "usual" else (choice["values"],)),
        *(() if choice["weight"] == "usual" else ("a zero in the weight",)),
        f"eps {choice['eps']}" if choice["eps"] == "left out" else f"eps = {choice['eps']}",
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "any number of leading axes (or none)",
    "weight": "`weight` may hold any numbers, including zeros",
    "values": "vectors of zeros, small ones, and values up to 60,000",
    "eps": "a float or an int, possibly 0",
    "dtype": "float16, bfloat16, float32 or float64",
    "layout": "a transposed or expanded view",
    "gradients": "of `x`, of `weight` or of both, in every dtype, or none at all, also under `torch.no_grad()` and `torch.inference_mode()`",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

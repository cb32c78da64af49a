"""Any call of swiglu_ffn that the spec allows, for the family `combinations`."""

from grader.authoring import Space

AXES = {"none": (), "(tokens)": ("tokens",), "(sequences, tokens)": ("sequences", "tokens")}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
WEIGHTS = ("w1", "w2", "w3")
LAYOUTS = {
    "contiguous": {},
    "x transposed": {"strided": ("x",)},
    "x expanded": {"expanded": ("x",)},
    "weights transposed": {"strided": WEIGHTS},
    "weights expanded": {"expanded": WEIGHTS},
}
ASKED = {"of x": ("x",), "of w1": ("w1",), "of w2": ("w2",), "of w3": ("w3",), "of all four": ("x", *WEIGHTS)}
MODES = {"none, under no_grad": GradMode.NO_GRAD, "none, under inference_mode": GradMode.INFERENCE}
GATES = {"usual": 0, "far above zero": 1, "far below zero": -1}

DIMENSIONS = {
    "d_model": (1, 2, 3, 4, 5),
    "d_ff": (1, 2, 3, 4, 5),
    "leading axes": tuple(AXES),
    "tokens": (1, 2, 3, 4, 5),
    "sequences": (1, 2, 3, 4, 5),
    "gates": tuple(GATES),
    "dtype": tuple(DTYPES),
    "layout": tuple(LAYOUTS),
    "gradients": ("none", *MODES, *ASKED),
}


def _settled(choice):
    for name in {"tokens", "sequences"} - {*AXES[choice["leading axes"]]}:
        del choice[name]
    if choice["leading axes"] == "none" and choice["layout"].startswith("x"):
        choice["layout"] = "contiguous"
    if choice["gates"] == "far below zero" and (choice["d_ff"] == 1 or choice["layout"] == "weights expanded"):
        choice["gates"] = "usual"  # all gates are closed then, and nothing is left of the result but rounding
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("sequences", "tokens", "d_model", "d_ff") if name in choice}


def _shape(choice):
    return tuple(choice[name] for name in (*AXES[choice["leading axes"]], "d_model"))


def _drawn(draw, choice):
    d_model, d_ff = choice["d_model"], choice["d_ff"]
    shapes = {"x": _shape(choice), "w1": (d_ff, d_model), "w2": (d_model, d_ff), "w3": (d_ff, d_model)}
    expanded = LAYOUTS[choice["layout"]].get("expanded", ())
    values = {
        name: draw.normal(1, *shape[1:]).expand(shape).contiguous() if name in expanded else draw.normal(*shape)
        for name, shape in shapes.items()
    }
    sign = GATES[choice["gates"]]
    if sign:
        values["x"] = values["x"].abs() + 1
        values["w1"] = sign * 100 * (values["w1"].abs() + 0.1)
    if sign < 0:
        values["w1"][0] /= 1000  # one gate of ordinary size
    return {name: value.to(DTYPES[choice["dtype"]]) for name, value in values.items()}


def _combination(draw, choice):
    arguments, of = _drawn(draw, choice), ASKED.get(choice["gradients"], ())
    gradient = draw.normal(*_shape(choice)).to(DTYPES[choice["dtype"]]) if of else None
    call = Call(
        "",
        FUNCTION,
        arguments,
        gradient=gradient,
        differentiate=of,
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
        **LAYOUTS[choice["layout"]],
    )
    growth = _growth(arguments) * _cancelling(arguments, gradient, of)
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    return Case("", _told(choice), call, growth=growth, aspects=aspects)


def _cancelling(arguments, gradient, of):
    """Results are sums of terms that may cancel: how many times larger are the terms than what is left of them?"""
    x, w1, w2, w3 = (arguments[name].double() for name in ("x", *WEIGHTS))
    x = x.reshape(-1, x.shape[-1])
    passed = torch.zeros_like(x) if gradient is None else gradient.double().reshape(x.shape)
    gate, up = x @ w1.mT, x @ w3.mT
    share = torch.sigmoid(gate)
    slope = share * (1 + gate * (1 - share))
    curve = share * (1 - share) * (2 + gate * (1 - 2 * share))
    left = _left(x, w1, w2, w3, passed, gate * share, up, slope)
    terms_of_gate, terms_of_up = x.abs() @ w1.abs().mT, x.abs() @ w3.abs().mT
    terms = _left(
        *(tensor.abs() for tensor in (x, w1, w2, w3, passed)),
        (gate * share).abs() + slope.abs() * terms_of_gate,
        terms_of_up,
        slope.abs() + curve.abs() * terms_of_gate,
    )
    return max(1.0, *((terms[name].amax() / left[name].abs().amax()).item() for name in ("output", *of)))


def _left(x, w1, w2, w3, passed, activated, up, slope):
    """The output and all gradients, with what was made on the way."""
    back = passed @ w2
    to_gate, to_up = back * up * slope, back * activated
    return {
        "output": (activated * up) @ w2.mT,
        "x": to_gate @ w1 + to_up @ w3,
        "w1": to_gate.mT @ x,
        "w2": passed.mT @ (activated * up),
        "w3": to_up.mT @ x,
    }


def _told(choice):
    sizes = f"x of shape {_shape(choice)}, d_ff = {choice['d_ff']}"
    told = (
        sizes,
        choice["dtype"],
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["gates"] == "usual" else (f"gates {choice['gates']}",)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


STATED = {
    "leading axes": "any number of leading axes, none included",
    "gates": "The gate may be large",
    "dtype": "float32 or float64",
    "layout": "a transposed or expanded view",
    "gradients": "a call asks for one, several or none of them",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

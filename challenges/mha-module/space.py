"""Any call of the three classes that the spec allows, for the family `combinations`."""

from grader.combinations import Space
from grader.execution import GradMode

DTYPES = {"float32": torch.float32, "float64": torch.float64}
BIASES = {"True": True, "False": False, "left out": None}
MODES = {
    "train() with dropout=0": (True, 0.0),
    "train() with dropout=1": (True, 1.0),
    "eval() with dropout=0.5": (False, 0.5),
}
GRAPHS = {"no_grad": GradMode.NO_GRAD, "inference_mode": GradMode.INFERENCE}
ASKED = ("nothing", "of x", "of the layers", *GRAPHS)
# What the module has been used for before: the keys of BEFORE in sandbox/harness.py, and words for them.
BEFORE = {
    "nothing": "",
    "fewer tokens": "after fewer tokens",
    "more tokens": "after more tokens",
    "no graph": "after a call under no_grad",
    "the other mode": "after a call in the other mode",
    "other weights": "after calls with other weights",
}
LARGE = 8.0
SCORES = ("usual", "in the hundreds", "far below zero", "hidden ones far above", "of a token of zeros")

DIMENSIONS = {
    "batch": (1, 2, 3, 4),
    "tokens": (1, 2, 3, 4, 5),
    "spare": (0, 0, 1, 3),
    "heads": (1, 2, 3, 4),
    "width": (1, 2, 3, 4),
    "d_in": (1, 2, 3, 4, 6),
    "qkv_bias": tuple(BIASES),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "not contiguous"),
    "mode": tuple(MODES),
    "gradients": ASKED,
    "scores": SCORES,
    "before": tuple(BEFORE),
}
# A single head and the wrapper share most of the code: fewer calls of them.
PART = DIMENSIONS | {
    "scores": SCORES[:3],
    "before": ("nothing", "fewer tokens", "no graph", "other weights"),
}
SINGLE = {name: values for name, values in PART.items() if name != "heads"}


def _settled(choice):
    """A single token has no other that could be hidden, or come before."""
    if choice["tokens"] == 1 and choice["scores"] == "hidden ones far above":
        choice["scores"] = "usual"
    return choice


def _sizes(choice):
    sizes = {name: choice[name] for name in ("batch", "tokens", "d_in")}
    context, heads, width = choice["tokens"] + choice["spare"], choice.get("heads"), choice["width"]
    if heads is None:
        return sizes | {"context_length": context, "d_out": width}
    return sizes | {"context_length": context, "num_heads": heads}


def _shared_sizes(choice):
    """Heads that share d_out."""
    heads, width = choice["heads"], choice["width"]
    return _sizes(choice) | {"head_dim": width, "d_out": heads * width}


def _wrapper_sizes(choice):
    return _sizes(choice) | {"d_out": choice["width"]}


def _combination(entry):
    def case(draw, choice):
        training, dropout = MODES[choice["mode"]]
        gain = LARGE if choice["scores"] in SCORES[1:3] else 0.7
        arguments = _arguments(
            draw,
            entry,
            batch=choice["batch"],
            tokens=choice["tokens"],
            spare=choice["spare"],
            heads=choice.get("heads", 1),
            width=choice["width"],
            d_in=choice["d_in"],
            bias=BIASES[choice["qkv_bias"]] or False,
            dropout=dropout,
            gain=gain,
            dtype=DTYPES[choice["dtype"]],
        )
        _set_scores(draw, arguments, choice["scores"])
        growth = _growth(arguments)
        if choice["qkv_bias"] == "left out":
            del arguments["qkv_bias"]
        of = _differentiated(arguments, choice)
        output = arguments["output_weight"] if entry == MHA else arguments["value_weight"]
        call = Call(
            "",
            entry,
            arguments | {"training": training, "before": choice["before"]},
            gradient=draw.normal(*arguments["x"].shape[:2], len(output), dtype=output.dtype) if of else None,
            differentiate=of,
            strided=("x",) if choice["layout"] == "not contiguous" else (),
            return_arguments=True,
            grad_mode=GRAPHS.get(choice["gradients"], GradMode.DEFAULT),
        )
        growth *= 8 if of else 2  # twice, as with so few numbers the largest may be small by chance
        aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
        return Case("", _told(choice, arguments), call, growth=growth, scale=_scale(call), aspects=aspects)

    return case


def _scale(call):
    """How large the terms are that gradients are sums of: where one key has nearly all the weight, they cancel."""
    if call.gradient is None:
        return 0.0
    given = {name: value.double() for name, value in call.arguments.items() if isinstance(value, Tensor)}
    heads, x, upstream = (call.arguments.get("num_heads", 1), -1), given["x"], call.gradient.double()
    if "output_weight" in given:
        upstream = upstream @ given["output_weight"]
    biases = {role: given[f"{role}_bias"] if call.arguments.get("qkv_bias") else 0.0 for role in ROLES}
    Q, K, V = ((x @ given[f"{role}_weight"].mT + biases[role]).unflatten(-1, heads).transpose(1, 2) for role in ROLES)
    upstream = upstream.unflatten(-1, heads).transpose(1, 2)
    later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    weights = (Q @ K.mT / math.sqrt(Q.shape[-1])).masked_fill(later, -math.inf).softmax(dim=-1)
    of_scores = (weights * (upstream @ V.mT).abs()).amax() / math.sqrt(Q.shape[-1])
    of_vectors = torch.maximum(Q.abs().amax(), K.abs().amax()) * of_scores
    learned = [given[f"{role}_weight"] for role in ROLES] if call.differentiate == ("x",) else [x]
    return (torch.maximum(of_vectors, upstream.abs().amax()) * max(part.abs().amax() for part in learned)).item()


def _set_scores(draw, arguments, scores):
    x = arguments["x"]
    if scores == "far below zero":
        x[:] = x[:, :1] + 0.1 * x
        arguments["key_weight"] = -arguments["query_weight"]
    elif scores == "hidden ones far above":
        x[:, -1] *= 100
    elif scores == "of a token of zeros":
        x[:, x.shape[1] // 2] = 0


def _differentiated(arguments, choice):
    """Where one key has all the weight, or there is one feature, what queries and keys learn may cancel, to within
    rounding. The bias of the keys never changes a softmax.
    """
    if choice["gradients"] == "of x":
        return ("x",)
    if choice["gradients"] != "of the layers":
        return ()
    is_even = choice["scores"] == "usual" and choice["tokens"] > 1 and choice["d_in"] > 1
    kinds = ("weight", "bias") if choice["qkv_bias"] == "True" else ("weight",)
    roles = ("query", "key", "value") if is_even else ("value",)
    inner = [f"{role}_{kind}" for role in roles for kind in kinds if (role, kind) != ("key", "bias")]
    return (*inner, *(name for name in arguments if name.startswith("output_")))


def _told(choice, arguments):
    asked, before, bias = choice["gradients"], BEFORE[choice["before"]], choice["qkv_bias"]
    told = (
        f"x of shape {tuple(arguments['x'].shape)}",
        *(f"{name} = {arguments[name]}" for name in ("d_out", "num_heads", "context_length") if name in arguments),
        "qkv_bias left out" if bias == "left out" else f"qkv_bias={bias}",
        choice["mode"],
        choice["dtype"],
        *(() if choice["scores"] == "usual" else (f"scores {choice['scores']}",)),
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *((f"under {asked}",) if asked in GRAPHS else () if asked == "nothing" else (f"with gradients {asked}",)),
        *((before,) if before else ()),
    )
    return ", ".join(told)


STATED = {
    "qkv_bias": "with a bias if `qkv_bias` says so",
    "dtype": "float32, or float64 after `.double()`",
    "layout": "need not be contiguous",
    "mode": "silent after `eval()`",
    "gradients": "under `torch.no_grad()` or `torch.inference_mode()`",
    "scores": "Scores may be in the hundreds",
    "before": "may be called again and again",
}

SPACES = {
    MHA: Space(DIMENSIONS, _settled, _shared_sizes, _combination(MHA), STATED),
    CAUSAL: Space(SINGLE, _settled, _sizes, _combination(CAUSAL), STATED),
    WRAPPER: Space(PART, _settled, _wrapper_sizes, _combination(WRAPPER), STATED),
}

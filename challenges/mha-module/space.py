"""Any call of the three classes that the spec allows, for the family `combinations`."""

from functools import partial

from grader.combinations import Space

BIASES = {"True": True, "False": False, "left out": False}
DROPOUTS = {"0": 0.0, "a half in eval()": 0.5, "1 in eval()": 1.0, "0 in train()": 0.0, "1 in train()": 1.0}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
MODES = {"none, under no_grad": "no_grad", "none, under inference_mode": "inference_mode"}
ASKED = {
    "of x": ("x",),
    "of queries and keys": ("query", "key"),
    "of values and what follows": ("value", "output"),
    "of x and all layers": ("x", *ROLES, "output"),
}
FAR = 30.0  # the size of queries and keys with scores whose exp overflows in float64 too

WORDS = {
    "qkv_bias": tuple(BIASES),
    "dropout": tuple(DROPOUTS),
    "dtype": tuple(DTYPES),
    "layout of x": ("contiguous", "transposed", "expanded"),
    "gradients": ("none", *MODES, *ASKED),
    "scores": ("usual", "far apart", "far above where hidden"),
    "a token": ("usual", "of zeros"),
    "layers": ("different", "with equal numbers"),
    "calls before": ("none", "same shape", "shorter", "longer", "loaded"),
}
LENGTHS = {"batch": (1, 2, 3), "tokens": (1, 2, 3, 4), "context_length": (1, 2, 3, 4, 5)}
DIMENSIONS = {
    MHA: LENGTHS | {"d_in": (1, 2, 3, 4, 6), "num_heads": (1, 2, 3), "head_dim": (1, 2, 3)} | WORDS,
    CAUSAL: LENGTHS | {"d_in": (1, 2, 3, 4), "d_out": (1, 2, 3, 4)} | WORDS,
    WRAPPER: LENGTHS | {"d_in": (1, 2, 3, 4), "d_out": (1, 2, 3), "num_heads": (1, 2, 3)} | WORDS,
}


def _settled(choice):
    choice["context_length"] = max(choice["context_length"], choice["tokens"])
    if choice["batch"] == 1 and choice["layout of x"] == "expanded":
        choice["layout of x"] = "contiguous"
    _settle_scores(choice)
    _settle_gradients(choice)
    _settle_calls(choice)
    return choice


def _settle_scores(choice):
    """Queries far from zero need a feature of their own, and so do keys; without a second token there is nothing to hide,
    and without a second query none to be far from.
    """
    if (
        choice["d_in"] == 1
        or (choice["scores"] == "far above where hidden" and choice["tokens"] == 1)
        or choice["tokens"] == choice["batch"] == 1
    ):
        choice["scores"] = "usual"
    if choice["scores"] != "usual":
        choice["layers"] = "different"
    if choice["scores"] != "usual" or choice["tokens"] == 1:
        choice["a token"] = "usual"


def _settle_gradients(choice):
    """Of a single token the weight is 1, whatever queries and keys are: nobody has to compute it from them."""
    if choice["tokens"] == 1 and "query" in ASKED.get(choice["gradients"], ()):
        choice["gradients"] = "of x" if "x" in ASKED[choice["gradients"]] else "of values and what follows"


def _settle_calls(choice):
    """A module under inference_mode was called before: what it made there alone could not be used in training."""
    before, of = choice["calls before"], ASKED.get(choice["gradients"], ())
    if (
        (before == "shorter" and choice["tokens"] == 1)
        or (before == "longer" and choice["tokens"] == choice["context_length"])
        or (before == "loaded" and of not in ((), ("x",)))
        or (before in ("none", "shorter", "longer") and MODES.get(choice["gradients"]) == "inference_mode")
    ):
        choice["calls before"] = "same shape"


def _sizes(choice):
    sizes = {name: value for name, value in choice.items() if isinstance(value, int)}
    return sizes | ({"d_out": sizes["num_heads"] * sizes["head_dim"]} if "head_dim" in sizes else {})


def _combination(entry, draw, choice):
    arguments = _chosen(draw, entry, choice)
    of = _asked(arguments, choice)
    upstream = draw.normal(*_output_shape(arguments), dtype=arguments["x"].dtype) if of else None
    growth = 3 * _growth(arguments) * _cancelling(arguments) * (4 if of else 1)
    scale = _scale(arguments, upstream, of) if of else 0.0
    if choice["qkv_bias"] == "left out":
        del arguments["qkv_bias"]
    call = Call(
        "",
        entry,
        arguments,
        gradient=upstream,
        differentiate=of,
        strided=("x",) if choice["layout of x"] == "transposed" else (),
        expanded=("x",) if choice["layout of x"] == "expanded" else (),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    return Case("", _told(entry, choice), call, growth=growth, scale=scale, aspects=aspects)


def _chosen(draw, entry, choice):
    arguments = _arguments(
        draw,
        entry,
        batch=choice["batch"],
        tokens=choice["tokens"],
        spare=choice["context_length"] - choice["tokens"],
        heads=choice.get("num_heads", 1),
        width=choice["head_dim"] if entry == MHA else choice["d_out"],
        d_in=choice["d_in"],
        bias=BIASES[choice["qkv_bias"]],
        dropout=DROPOUTS[choice["dropout"]],
        dtype=DTYPES[choice["dtype"]],
    )
    x = arguments["x"]
    if choice["layers"] == "with equal numbers":
        arguments |= {f"{role}_{part}": arguments[f"query_{part}"].clone() for role in ROLES for part in PARTS}
    if choice["scores"] != "usual":
        _set_scores(arguments, choice["scores"])
    if choice["a token"] == "of zeros":
        x[:, draw.integer(0, x.shape[1] - 1)] = 0
    if choice["layout of x"] == "expanded":
        arguments["x"] = x[:1].expand_as(x).clone()
    return arguments | {
        "training": choice["dropout"].endswith("train()"),
        "before": choice["calls before"],
        "mode": MODES.get(choice["gradients"], "default"),
    }


PARTS = ("weight", "bias")


def _set_scores(arguments, scores):
    """A query comes from feature 0, a key from feature 1: scores are far from zero, and yet as near to each other as
    usual ones, but for those that are to be far apart.
    """
    x = arguments["x"]
    sequences, tokens, features = x.shape
    x[..., :2] = FAR + 2 / FAR * x[..., :2]
    if scores == "far apart":
        x[..., 0] *= (-1) ** (torch.arange(sequences)[:, None] + torch.arange(tokens))
    else:
        x[:, -1, 1] *= 2
    for role, feature in (("query", 0), ("key", 1)):
        rows = len(arguments[f"{role}_weight"])
        arguments[f"{role}_weight"] = torch.eye(features, dtype=x.dtype)[feature].repeat(rows, 1)


def _asked(arguments, choice):
    """Names of arguments; biases where there are some."""
    parts = [f"{of}_{part}" if of != "x" else of for of in ASKED.get(choice["gradients"], ()) for part in PARTS]
    has = {"x": True, "output_weight": True, "output_bias": True} | {f"{role}_weight": True for role in ROLES}
    return tuple(name for name in dict.fromkeys(parts) if name in arguments and has.get(name, arguments["qkv_bias"]))


def _output_shape(arguments):
    features = arguments.get("output_weight", arguments["query_weight"]).shape[0]
    return (*arguments["x"].shape[:2], features)


# What follows says how large the terms are that outputs and gradients are sums of: of so few numbers, all may cancel.


def _projected(arguments, size=lambda x: x):
    """Queries, keys and values, (batch, heads, tokens, width); with `size`, of what the sizes of all numbers give."""
    x, bias = size(arguments["x"].double()), arguments["qkv_bias"]
    of = {role: [size(arguments[f"{role}_{part}"].double()) for part in PARTS] for role in ROLES}
    return [_split(x @ weight.mT + bias * shift, arguments) for weight, shift in of.values()]


def _split(x, arguments):
    return x.unflatten(-1, (_heads(arguments), -1)).transpose(1, 2)


def _merged(x):
    return x.transpose(1, 2).flatten(-2)


def _attention_weights(arguments):
    queries, keys, _ = _projected(arguments)
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(dim=-1)


def _mixed(context, arguments, size=lambda x: x):
    """Through the output projection, where there is one."""
    if "output_weight" not in arguments:
        return context
    return context @ size(arguments["output_weight"].double()).mT + size(arguments["output_bias"].double())


def _cancelling(arguments):
    """How many times larger than the largest output are the terms that it is a sum of? Where all weights are dropped,
    nothing is left to add.
    """
    if arguments["training"] and arguments["dropout"]:
        return 1.0
    weights = _attention_weights(arguments)
    left = _mixed(_merged(weights @ _projected(arguments)[2]), arguments)
    taken = _mixed(_merged(weights @ _projected(arguments, torch.abs)[2]), arguments, torch.abs)
    return max(1.0, (taken.amax() / left.abs().amax()).item())


def _scale(arguments, upstream, of):
    """The largest of the terms that the gradients asked for are sums of: the backward pass over the sizes of all numbers."""
    x, upstream = arguments["x"].double().abs(), upstream.double().abs()
    weights, (queries, keys, values) = _attention_weights(arguments), _projected(arguments, torch.abs)
    context = _merged(weights @ values)
    back = upstream @ arguments["output_weight"].double().abs() if "output_weight" in arguments else upstream
    back = _split(back, arguments)
    of_weights = back @ values.mT
    of_scores = weights * (of_weights + (weights * of_weights).sum(-1, keepdim=True)) / math.sqrt(queries.shape[-1])
    terms = {"output_weight": upstream.flatten(0, 1).mT @ context.flatten(0, 1), "output_bias": upstream.sum((0, 1))}
    terms["x"] = torch.zeros_like(x)
    for role, vectors in zip(ROLES, (of_scores @ keys, of_scores.mT @ queries, weights.mT @ back), strict=True):
        gradient = _merged(vectors)
        terms["x"] += gradient @ arguments[f"{role}_weight"].double().abs()
        terms |= {f"{role}_weight": gradient.flatten(0, 1).mT @ x.flatten(0, 1), f"{role}_bias": gradient.sum((0, 1))}
    return max(terms[name].amax().item() for name in of)


def _told(entry, choice):
    sizes = ", ".join(f"{name} = {size}" for name, size in _sizes(choice).items() if name != "head_dim")
    told = (
        f"{entry}: {sizes}",
        f"qkv_bias {'=' if choice['qkv_bias'] != 'left out' else 'is'} {choice['qkv_bias']}",
        f"dropout = {choice['dropout']}",
        choice["dtype"],
        *(() if choice["layout of x"] == "contiguous" else (f"x {choice['layout of x']}",)),
        *(() if choice["scores"] == "usual" else (f"scores {choice['scores']}",)),
        *(() if choice["a token"] == "usual" else ("a token of zeros",)),
        *(() if choice["layers"] == "different" else ("equal numbers in queries', keys' and values' layers",)),
        *(() if choice["calls before"] == "none" else (TOLD_BEFORE[choice["calls before"]],)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


TOLD_BEFORE = {
    "same shape": "after calls with other tokens and a step of training",
    "shorter": "after a call with fewer tokens",
    "longer": "after a call with more tokens",
    "loaded": "after its state_dict was loaded into a new module",
}
STATED = {
    "qkv_bias": "`qkv_bias` may be True, False or left out",
    "dropout": "dropout from 0 to 1, in training and after `eval()`",
    "dtype": "float32 or float64",
    "layout of x": "need not be contiguous: a transposed or expanded view",
    "gradients": (
        "gradients of `x`, of some layers or of all, whichever are asked for, and calls under `torch.no_grad` and "
        "`torch.inference_mode`"
    ),
    "scores": "scores of several hundred, above zero or below, from one query to the next, or of hidden keys alone",
    "a token": "A token may be all zeros",
    "layers": "layers may hold equal numbers",
    "calls before": "after calls with as many tokens, with fewer and with more, after a step of training",
}

SPACES = {
    entry: Space(dimensions, _settled, _sizes, partial(_combination, entry), STATED)
    for entry, dimensions in DIMENSIONS.items()
}

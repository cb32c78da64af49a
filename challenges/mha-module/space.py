"""Any call of the three classes that the spec allows, for the family `combinations`."""

from functools import partial

from grader.authoring import Space

BIASES = {"True": True, "False": False, "left out": False}
DROPOUTS = {"0 in eval()": 0.0, "1 in eval()": 1.0, "0 in train()": 0.0, "1 in train()": 1.0}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
MODES = {"none, under no_grad": "no_grad", "none, under inference_mode": "inference_mode"}
LAYERS = (*ROLES, "output")
ASKED = {"of all layers": LAYERS, "of x and all layers": ("x", *LAYERS)}
PARTS = ("weight", "bias")
FAR = 30.0  # the size of queries and keys with scores whose exp overflows in float64 too

WORDS = {
    "qkv_bias": tuple(BIASES),
    "dropout": tuple(DROPOUTS),
    "dtype": tuple(DTYPES),
    "layout of x": ("contiguous", "transposed", "expanded"),
    "gradients": ("none", *MODES, *ASKED),
    "numbers": ("usual", "a token of zeros", "equal layers", "scores far apart", "hidden scores far above"),
    "calls before": ("none", "several", "loaded"),
}
LENGTHS = {"batch": (1, 2, 3), "tokens": (1, 2, 3), "context_length": (1, 2, 3, 4)}
# The wrapper hands on what it is given, and puts results side by side: its heads were asked the rest themselves.
HANDED_ON = {name: WORDS[name] for name in ("qkv_bias", "dropout", "dtype", "gradients", "calls before")}
DIMENSIONS = {
    MHA: LENGTHS | {"d_in": (1, 2, 3, 4), "num_heads": (1, 2, 3), "head_dim": (1, 2, 3)} | WORDS,
    CAUSAL: LENGTHS | {"d_in": (1, 2, 3, 4), "d_out": (1, 2, 3)} | WORDS,
    WRAPPER: LENGTHS | {"d_in": (1, 2, 3, 4), "d_out": (1, 2, 3), "num_heads": (1, 2, 3)} | HANDED_ON,
}


def _settled(choice):
    choice["context_length"] = max(choice["context_length"], choice["tokens"])
    if choice["batch"] == 1 and choice.get("layout of x") == "expanded":
        choice["layout of x"] = "contiguous"
    if "numbers" in choice:
        _settle_numbers(choice)
    if choice["tokens"] == 1 and choice["gradients"] in ASKED:
        # The only weight is 1, whatever queries and keys are: nobody has to compute it from them.
        choice["gradients"] = "none"
    if choice["gradients"] in ASKED and choice["calls before"] == "loaded":
        choice["calls before"] = "several"  # the layers' own weights are no argument of the case
    if MODES.get(choice["gradients"]) == "inference_mode" and choice["calls before"] == "none":
        choice["calls before"] = "several"  # what a module makes at its first call and keeps, it may need in training
    return choice


def _settle_numbers(choice):
    """Queries far from zero need a feature of their own, and so do keys; without a second token there is nothing to hide,
    and without a second query none to be far from.
    """
    numbers, tokens = choice["numbers"], choice["tokens"]
    if (
        ("scores" in numbers and choice["d_in"] == 1)
        or (numbers == "scores far apart" and tokens == choice["batch"] == 1)
        or (numbers in ("hidden scores far above", "a token of zeros") and tokens == 1)
    ):
        choice["numbers"] = "usual"


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
        strided=("x",) if choice.get("layout of x") == "transposed" else (),
        expanded=("x",) if choice.get("layout of x") == "expanded" else (),
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
    x, numbers = arguments["x"], choice.get("numbers", "usual")
    if numbers == "equal layers":
        arguments |= {f"{role}_{part}": arguments[f"query_{part}"].clone() for role in ROLES for part in PARTS}
    elif numbers == "a token of zeros":
        x[:, draw.integer(0, x.shape[1] - 1)] = 0
    elif numbers != "usual":
        _set_scores(arguments, is_apart=numbers == "scores far apart")
    if choice.get("layout of x") == "expanded":
        arguments["x"] = x[:1].expand_as(x).clone()
    return arguments | {
        "training": choice["dropout"].endswith("train()"),
        "before": choice["calls before"],
        "mode": MODES.get(choice["gradients"], "default"),
    }


def _set_scores(arguments, *, is_apart):
    """A query comes from feature 0, a key from feature 1: scores are far from zero, and yet as near to each other as
    usual ones, but for those that are to be far apart.
    """
    x = arguments["x"]
    sequences, tokens, features = x.shape
    x[..., :2] = FAR + 2 / FAR * x[..., :2]
    if is_apart:
        x[..., 0] *= (-1) ** (torch.arange(sequences)[:, None] + torch.arange(tokens))
    else:
        x[:, -1, 1] *= 2
    for role, feature in (("query", 0), ("key", 1)):
        rows = len(arguments[f"{role}_weight"])
        arguments[f"{role}_weight"] = torch.eye(features, dtype=x.dtype)[feature].repeat(rows, 1)


def _asked(arguments, choice):
    """Names of arguments; biases where there are some."""
    of = ASKED.get(choice["gradients"], ())
    parts = ("weight", "bias") if arguments["qkv_bias"] else ("weight",)
    names = {role: [f"{role}_{part}" for part in parts] for role in ROLES}
    names |= {"x": ["x"], "output": [f"output_{part}" for part in PARTS if "output_weight" in arguments]}
    return tuple(name for one in of for name in names[one])


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
        *(f"x {choice[name]}" for name in ("layout of x",) if choice.get(name, "contiguous") != "contiguous"),
        *(TOLD[choice[name]] for name in ("numbers",) if choice.get(name, "usual") != "usual"),
        *(() if choice["calls before"] == "none" else (TOLD[choice["calls before"]],)),
        *((f"with gradients {choice['gradients']}",) if choice["gradients"] in ASKED else ()),
        *((choice["gradients"].removeprefix("none, "),) if choice["gradients"] in MODES else ()),
    )
    return ", ".join(told)


TOLD = {
    "a token of zeros": "a token of zeros",
    "equal layers": "equal weights in the layers of queries, keys and values",
    "scores far apart": "scores of several hundred, positive and negative",
    "hidden scores far above": "hidden scores far above the others",
    "several": "after shorter, longer and other calls and a training step",
    "loaded": "after its state_dict was loaded into a new module",
}
STATED = {
    "qkv_bias": "`qkv_bias` may be True, False or left out",
    "dropout": "from 0 to 1, in training and after `eval()`",
    "dtype": "float32 or float64",
    "layout of x": "need not be contiguous: it may be a transposed or expanded view",
    "gradients": "of `x` and of each layer, and calls under `torch.no_grad` and `torch.inference_mode`",
    "numbers": "several hundred, positive or negative, varying that much from one query to the next, or only for hidden keys",
    "calls before": "after calls with the same number of tokens, fewer or more, after a training step",
}

SPACES = {
    entry: Space(
        dimensions,
        _settled,
        _sizes,
        partial(_combination, entry),
        {name: said for name, said in STATED.items() if name in dimensions},
    )
    for entry, dimensions in DIMENSIONS.items()
}

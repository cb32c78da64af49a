"""Any call that the spec allows of the function and of the layer, for the family `combinations`."""

from grader.authoring import Space

UNMASKED = {"none": None, "left out": LEFT_OUT}
MASKS = (
    *UNMASKED,
    "hides nothing",
    "hides some",
    "hides the same keys from all",
    "hides what comes later",
    "hides all but one",
)
MASK_SHAPES = {
    "(batch, seq, seq)": lambda batch: (batch,),
    "(1, seq, seq)": lambda batch: (1,),
    "(seq, seq)": lambda batch: (),
}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
LAYOUTS = ("contiguous", "not contiguous")
EVERYTHING = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS})

ATTENTION_DIMENSIONS = {
    "batch": (1, 2, 3, 4),
    "seq": (1, 2, 3, 4, 5),
    "d": (1, 2, 3, 4, 5),
    "Q, K and V": ("three Tensors", "one Tensor"),
    "mask": MASKS,
    "shape of the mask": tuple(MASK_SHAPES),
    "dtype of the mask": tuple(DTYPES),
    "dtype": tuple(DTYPES),
    "layout": LAYOUTS,
    "gradients": ("none", "of Q", "of K", "of V", "of Q, K, V"),
    "scores": ("usual", "some zero", "in the hundreds", "of some queries far below", "of hidden keys far above"),
}

LAYER_DIMENSIONS = {
    "batch": (1, 2, 3, 4),
    "seq": (1, 2, 3, 4, 5),
    "num_heads": (1, 2, 3, 4),
    "head_dim": (1, 2, 3, 4),
    "mask": MASKS,
    "dtype of the mask": tuple(DTYPES),
    "dtype": tuple(DTYPES),
    "layout": LAYOUTS,
    "gradients": ("none", "of x", "of q_proj", "of k_proj", "of v_proj", "of out_proj", "of x, v_proj and out_proj"),
    "biases": ("drawn", "zero"),
    "projections": ("different", "with equal numbers"),
    "scores": ("usual", "in the hundreds"),
}


def _settled_mask(choice):
    if choice["mask"] in UNMASKED:
        choice.pop("shape of the mask", None)
        del choice["dtype of the mask"]
    elif choice["seq"] == 1:
        choice["mask"] = "hides nothing"
    return choice


def _has_one_key_each(choice):
    """All weights are 0 or 1, or nearly: what made them has a gradient of zero, of which rounding leaves anything."""
    return (
        choice["seq"] == 1
        or choice["mask"] == "hides all but one"
        or (choice["mask"] == "hides the same keys from all" and choice["seq"] == 2)
        or choice["scores"] == "in the hundreds"
        or (choice["scores"] == "of some queries far below" and choice["seq"] == 2)
    )


def _settled_attention(choice):
    choice = _settled_mask(choice)
    if choice["seq"] == 1 and choice["scores"] == "of some queries far below":
        choice["scores"] = "usual"
    if choice["scores"] == "of hidden keys far above" and choice["mask"] != "hides the same keys from all":
        choice["scores"] = "usual"
    if choice["Q, K and V"] == "one Tensor":
        choice["gradients"] = "none" if choice["gradients"] == "none" else "of Q"
        choice["scores"] = choice["scores"] if choice["scores"] in ("some zero", "in the hundreds") else "usual"
    elif choice["gradients"] != "none" and _has_one_key_each(choice):
        choice["gradients"] = "of V"
    return choice


def _settled_layer(choice):
    choice = _settled_mask(choice)
    is_one_number = choice["num_heads"] == choice["head_dim"] == 1  # which may well be a difference of larger ones
    if choice["gradients"] in ("of q_proj", "of k_proj") and (is_one_number or _has_one_key_each(choice)):
        choice["gradients"] = "of v_proj"
    return choice


def _attention_sizes(choice):
    return {name: choice[name] for name in ("batch", "seq", "d")}


def _layer_sizes(choice):
    sizes = {name: choice[name] for name in ("batch", "seq", "num_heads", "head_dim")}
    return sizes | {"embed_dim": sizes["num_heads"] * sizes["head_dim"]}


def _chosen_mask(draw, choice, lead):
    """Of shape (*lead, seq, seq). Where it hides some, the last query sees all."""
    if choice["mask"] in UNMASKED:
        return UNMASKED[choice["mask"]]
    seq = choice["seq"]
    if choice["mask"] == "hides nothing":
        mask = torch.ones(*lead, seq, seq)
    elif choice["mask"] == "hides what comes later":
        mask = _causal(*lead, seq=seq)
    elif choice["mask"] == "hides all but one":
        mask = (draw.normal(*lead, seq, seq).argsort(dim=-1) == 0).float()
    elif choice["mask"] == "hides the same keys from all":
        places = draw.normal(*lead, 1, seq).argsort(dim=-1)
        mask = (places < max(1, seq - 1 - draw.integer(0, seq // 4))).float().expand(*lead, seq, seq).clone()
    else:
        mask = _mask(draw, *lead, seq=seq)
        mask[..., 0, 1], mask[..., -1, :] = 0.0, 1.0
    return mask.to(DTYPES[choice["dtype of the mask"]])


def _vectors(draw, choice, mask):
    shape, scores = (choice["batch"], choice["seq"], choice["d"]), choice["scores"]
    arguments = _qkv(draw, *shape, gain=14.0 if scores == "in the hundreds" else 1.5)
    if scores == "some zero":
        arguments["Q"][:, -1] = 0.0
        arguments["K"][:, 0] = 0.0
    elif scores in ("of some queries far below", "of hidden keys far above"):
        # Queries and keys lie along one line, which tells whose scores are large.
        near = {name: 0.2 * arguments[name] for name in ("Q", "K")}
        queries, keys = torch.full(shape[:2], 10.0), torch.full(shape[:2], 10.0)
        if scores == "of some queries far below":
            queries[:, 0] = -10.0
        else:
            keys = 10.0 - 20.0 * mask[..., 0, :].float().expand(shape[:2])
        arguments |= {"Q": near["Q"] + queries[..., None], "K": near["K"] + keys[..., None]}
    if choice["Q, K and V"] == "one Tensor":
        arguments |= {"K": arguments["Q"], "V": arguments["Q"], "handed_over": "one Tensor"}
    return arguments


def _attention_combination(draw, choice):
    lead = MASK_SHAPES[choice["shape of the mask"]](choice["batch"]) if "shape of the mask" in choice else ()
    mask = _chosen_mask(draw, choice, lead)
    arguments = _in_dtype(_vectors(draw, choice, mask), choice) | ({} if mask is LEFT_OUT else {"mask": mask})
    of = {"none": (), "of Q, K, V": ("Q", "K", "V")}.get(choice["gradients"], (choice["gradients"][-1],))
    # Scores along one line meet the bound, of which others reach a third.
    growth = _attention_growth(arguments) * (3 if "far" in choice["scores"] else 1)
    told = (
        f"attention: batch = {choice['batch']}, seq = {choice['seq']}, d = {choice['d']}",
        *(("one Tensor as Q, K and V",) if choice["Q, K and V"] == "one Tensor" else ()),
        _told_mask(choice),
        choice["dtype"],
    )
    return _combined(draw, ATTENTION, choice, arguments, of, growth, told)


def _layer_combination(draw, choice):
    names = ("batch", "seq", "head_dim")
    arguments = _arguments(
        draw,
        heads=choice["num_heads"],
        mask=_chosen_mask(draw, choice, (choice["batch"],)),
        gain=5.0 if choice["scores"] == "in the hundreds" else 1.0,
        **{name: choice[name] for name in names},
    )
    for part in PARTS:
        if choice["biases"] == "zero" and part.endswith("bias"):
            arguments[part] = torch.zeros_like(arguments[part])
        if choice["projections"] == "with equal numbers" and not part.startswith("q_"):
            arguments[part] = arguments[f"q_proj_{part.rpartition('_')[2]}"].clone()
    parts = {
        "none": (),
        "of x": ("x",),
        "of k_proj": ("k_proj_weight",),
        "of x, v_proj and out_proj": ("x", *(part for part in PARTS if part.startswith(("v", "out")))),
    }
    of = parts.get(choice["gradients"]) or tuple(
        part for part in PARTS if choice["gradients"] == f"of {part[: part.rindex('_')]}"
    )
    arguments = _in_dtype(arguments, choice)
    told = (
        f"layer: batch = {choice['batch']}, seq = {choice['seq']}",
        f"num_heads = {choice['num_heads']}, head_dim = {choice['head_dim']}",
        _told_mask(choice),
        choice["dtype"],
        *(("biases of zero",) if choice["biases"] == "zero" else ()),
        *(("equal numbers in all projections",) if choice["projections"] != "different" else ()),
    )
    return _combined(draw, MHA, choice, arguments, of, _growth(arguments), told)


def _in_dtype(arguments, choice):
    """The mask has a dtype of its own."""
    dtype = DTYPES[choice["dtype"]]
    return {
        name: value.to(dtype) if isinstance(value, Tensor) and name != "mask" else value
        for name, value in arguments.items()
    }


def _combined(draw, function, choice, arguments, of, growth, told):
    like = arguments["V" if function == ATTENTION else "x"]
    tensors = tuple(name for name, value in arguments.items() if isinstance(value, Tensor))
    call = Call(
        "",
        function,
        arguments,
        gradient=draw.normal(*like.shape, dtype=like.dtype) if of else None,
        differentiate=of,
        strided=tensors if choice["layout"] == "not contiguous" else (),
        return_arguments=True,
    )
    extras = (
        *(() if choice["scores"] == "usual" else (f"scores {choice['scores']}",)),
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["gradients"] == "none" else (f"with gradients {choice['gradients']}",)),
    )
    aspects = EVERYTHING | ({Aspect.GRADIENTS} if of else set())
    # The largest of so few numbers may be small beside the terms that it is a sum of.
    growth *= 8 if of else 3
    return Case("", ", ".join((*told, *extras)), call, growth=growth, scale=_scale(call), aspects=aspects)


def _scale(call):
    """How large the terms are that gradients are sums of: of so few numbers, all may cancel."""
    if call.gradient is None:
        return 0.0
    given = {name: value.double() for name, value in call.arguments.items() if isinstance(value, Tensor)}
    if call.function == ATTENTION:
        Q, K, V, upstream, learned = given["Q"], given["K"], given["V"], call.gradient.double(), torch.ones(1)
    else:
        heads = (call.arguments["num_heads"], -1)
        Q, K, V = (
            (given["x"] @ given[f"{name}_proj_weight"] + given[f"{name}_proj_bias"])
            .unflatten(-1, heads)
            .transpose(1, 2)
            for name in ("q", "k", "v")
        )
        upstream = (call.gradient.double() @ given["out_proj_weight"].mT).unflatten(-1, heads).transpose(1, 2)
        learned = torch.cat([value.flatten() for name, value in given.items() if name != "mask"])
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    if (mask := given.get("mask")) is not None:
        hidden = mask == 0 if call.function == ATTENTION else mask[:, None] == 0
        scores = scores.masked_fill(hidden, -math.inf)
    of_scores = (scores.softmax(dim=-1) * (upstream @ V.mT).abs()).amax() / math.sqrt(Q.shape[-1])
    of_vectors = torch.maximum(Q.abs().amax(), K.abs().amax()) * of_scores
    return (torch.maximum(of_vectors, upstream.abs().amax()) * learned.abs().amax()).item()


def _told_mask(choice):
    if choice["mask"] in UNMASKED:
        return "mask = None" if choice["mask"] == "none" else "mask left out"
    shape = choice.get("shape of the mask", "(batch, seq, seq)")
    return f"a {choice['dtype of the mask']} mask {shape} that {choice['mask']}"


STATED = {
    "mask": "No row is hidden completely",
    "dtype of the mask": "float32 or float64, whatever the other Tensors hold",
    "dtype": "all inputs hold float32 or all hold float64",
    "layout": "need not be in row-major order in memory",
    "gradients": "gradients of any of them and not of the others",
}
ATTENTION_STATED = STATED | {
    "Q, K and V": "may be the same Tensor",
    "shape of the mask": "`(1, seq, seq)`, `(seq, seq)`",
    "scores": "scores of several hundred",
}
LAYER_STATED = STATED | {
    "biases": "start at zero",
    "projections": "may hold equal numbers",
    "scores": "scores of several hundred",
}

SPACES = {
    ATTENTION: Space(
        ATTENTION_DIMENSIONS,
        _settled_attention,
        _attention_sizes,
        _attention_combination,
        ATTENTION_STATED,
    ),
    MHA: Space(LAYER_DIMENSIONS, _settled_layer, _layer_sizes, _layer_combination, LAYER_STATED),
}

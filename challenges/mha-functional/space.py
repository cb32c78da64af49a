"""Any call of multi_head_attention that the spec allows, for the family `combinations`."""

from dataclasses import replace

from grader.authoring import GradMode, Space

UNMASKED = {"none": None, "left out": LEFT_OUT}
MASK_SHAPES = {
    "(N, L_q, L_k)": lambda n, q, k: (n, q, k),
    "(L_q, L_k)": lambda n, q, k: (q, k),
    "(1, L_q, L_k)": lambda n, q, k: (1, q, k),
    "(N, 1, L_k)": lambda n, q, k: (n, 1, k),
    "(1, 1, L_k)": lambda n, q, k: (1, 1, k),
}
MASK_DTYPES = {
    "boolean": torch.bool,
    "integers": torch.int64,
    "bytes": torch.int8,
    "float32": torch.float32,
    "float64": torch.float64,
}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
ASKED = {"of the inputs": INPUTS, "of the weights": WEIGHTS}
MODES = {"off in no_grad": GradMode.NO_GRAD, "off in inference_mode": GradMode.INFERENCE}

# Which of q, k and v are one tensor. One that is shorter than the last named is its beginning.
BEGINS = "q begins k, which is v"
PAIRS = {"k is v": ("k", "v"), "q is k": ("q", "k"), "q is v": ("q", "v")}
SHARED = {"q is k is v": INPUTS, BEGINS: INPUTS, **PAIRS}
FROM_ONE = ("q is k is v", BEGINS, "equal values in different tensors")
ABOVE, HIGHEST = 300.0, 900.0  # scores: exp overflows in float32; next to the second, all others vanish in float64 too
QUERY = 17.0  # the size of queries with such scores

DIMENSIONS = {
    "N": (1, 2, 3, 4),
    "L_q": (1, 2, 3, 4, 5),
    "L_k": (1, 2, 3, 4, 5),
    "longer": ("neither", "queries", "keys"),
    "heads": (1, 2, 3, 4),
    "d_head": (1, 2, 3, 4),
    "mask": (*UNMASKED, "hides nothing", "hides some", "hides all but one"),
    "shape of the mask": tuple(MASK_SHAPES),
    "dtype of the mask": tuple(MASK_DTYPES),
    "dtype": tuple(DTYPES),
    "layout": ("contiguous", "not contiguous", "expanded"),
    "inputs": ("different", *PAIRS, *FROM_ONE),
    "gradients": ("not asked for", *MODES, *ASKED),
    "scores": ("usual", "far above zero", "far below zero", "far apart", "highest where hidden"),
    "tokens": ("usual", "one of zeros"),
}


def _settled(choice):
    _settle_sizes(choice)
    if choice["mask"] in UNMASKED:
        del choice["shape of the mask"], choice["dtype of the mask"]
    elif choice["L_k"] == 1:
        choice["mask"] = "hides nothing"
    if choice["N"] == 1 and choice["layout"] == "expanded":
        choice["layout"] = "contiguous"
    _settle_scores(choice)
    queries, keys = choice["L_q"], choice["L_k"]
    return choice | {"longer": "neither" if queries == keys else "queries" if queries > keys else "keys"}


def _settle_sizes(choice):
    """What one tensor is made of has the same length everywhere, but for its beginning."""
    queries, keys = choice["L_q"], choice["L_k"]
    if choice["inputs"] == BEGINS and queries == keys:
        choice["inputs"] = "q is k is v"
    elif choice["inputs"] == BEGINS:
        choice["L_q"], choice["L_k"] = min(queries, keys), max(queries, keys)
    elif choice["inputs"] in FROM_ONE or "q" in PAIRS.get(choice["inputs"], ()):
        choice["L_k"] = queries


def _settle_scores(choice):
    """Far from zero where all inputs are different: of one tensor, scores would come back in the values."""
    is_hiding = choice["mask"] in ("hides some", "hides all but one")
    if choice["inputs"] != "different":
        choice["scores"] = "usual"
    elif choice["scores"] == "highest where hidden" and not is_hiding:
        choice["scores"] = "far above zero"
    elif choice["scores"] == "far apart" and choice["N"] == choice["L_q"] == 1:
        choice["scores"] = "far below zero"
    if choice["scores"] != "usual":
        choice["tokens"] = "usual"


def _sizes(choice):
    sizes = {name: choice[name] for name in ("N", "L_q", "L_k", "heads", "d_head")}
    return sizes | {"d_model": sizes["heads"] * sizes["d_head"]}


def _chosen_mask(draw, choice, hidden):
    """With that key hidden from all, where it hides any."""
    if choice["mask"] in UNMASKED:
        return UNMASKED[choice["mask"]]
    keys = choice["L_k"]
    shape = MASK_SHAPES[choice["shape of the mask"]](choice["N"], choice["L_q"], keys)
    order = draw.normal(*shape)
    order[..., hidden] = -math.inf
    low, high = {"hides nothing": (0, 0), "hides some": (1, keys - 1), "hides all but one": (keys - 1, keys - 1)}[
        choice["mask"]
    ]
    count = torch.tensor([draw.integer(low, high) for _ in range(math.prod(shape[:-1]))]).reshape(*shape[:-1], 1)
    return (order.argsort(dim=-1).argsort(dim=-1) < count).to(MASK_DTYPES[choice["dtype of the mask"]])


def _combination(draw, choice):
    dtype, of = DTYPES[choice["dtype"]], ASKED.get(choice["gradients"], ())
    hidden = draw.integer(0, choice["L_k"] - 1)
    arguments = _arguments(
        draw,
        batch=choice["N"],
        queries=choice["L_k" if choice["inputs"] in FROM_ONE else "L_q"],
        keys=choice["L_k"],
        heads=choice["heads"],
        d_head=choice["d_head"],
        mask=_chosen_mask(draw, choice, hidden),
        dtype=dtype,
    )
    if choice["scores"] != "usual":
        _set_scores(draw, arguments, choice, hidden)
    _settle_inputs(draw, arguments, choice)
    tensors = tuple(name for name, value in arguments.items() if isinstance(value, Tensor))
    call = Call(
        "",
        MHA,
        arguments,
        gradient=draw.normal(*arguments["q"].shape, dtype=dtype) if of else None,
        differentiate=of,
        strided=tensors if choice["layout"] == "not contiguous" else (),
        expanded=_expanded(arguments) if choice["layout"] == "expanded" else (),
        shared=SHARED.get(choice["inputs"], ()),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    # The largest of so few values may be small beside the terms that it is a sum of, and so may differences of far scores.
    growth = (4 if of else 1) * (3 if choice["scores"] == "usual" else 6) * _growth(draw, arguments)
    return Case("", _told(choice), call, growth=growth, scale=_scale(draw, call) if of else 0.0, aspects=aspects)


def _set_scores(draw, arguments, choice, hidden):
    """Scores as far from zero as asked, and yet as near to each other as usual ones: a softmax of them is no choice of a
    single key. Weights that rotate let each head see what its queries and keys are made of.
    """
    heads, d_head = choice["heads"], choice["d_head"]
    d_model, dtype = heads * d_head, arguments["q"].dtype
    rotation = torch.linalg.qr(draw.normal(d_model, d_model, dtype=dtype))[0]
    keys = rotation.unflatten(0, (heads, d_head)).roll(1, dims=1).flatten(0, 1)
    is_below = choice["scores"] == "far below zero"
    arguments["in_proj_weight"][: 2 * d_model] = torch.cat((rotation, -keys if is_below else keys))
    is_hidden = choice["scores"] == "highest where hidden"
    asking, seen = QUERY + 3.0 * arguments["q"], 0.1 * arguments["k"]
    if is_hidden:
        seen[:, hidden] = HIGHEST / (QUERY * math.sqrt(d_head))
    else:
        seen += ABOVE / (QUERY * math.sqrt(d_head))
    if choice["scores"] == "far apart":
        place = torch.arange(choice["N"])[:, None] + torch.arange(choice["L_q"])
        asking = asking * (1 - 2 * (place % 2))[..., None]
    arguments["q"], arguments["k"] = asking @ rotation, seen @ rotation


def _settle_inputs(draw, arguments, choice):
    """What is one tensor, or a token of zeros, or the same for all sequences."""
    if choice["inputs"] in FROM_ONE:
        whole = arguments["q"]
        arguments |= {"q": whole[:, : choice["L_q"]].clone(), "k": whole.clone(), "v": whole.clone()}
    elif choice["inputs"] in PAIRS:
        first, second = PAIRS[choice["inputs"]]
        arguments[second] = arguments[first].clone()
    if choice["tokens"] == "one of zeros":
        for name in INPUTS:
            arguments[name] = arguments[name].index_fill(1, torch.tensor([0]), 0.0)
    for name in _expanded(arguments) if choice["layout"] == "expanded" else ():
        arguments[name] = arguments[name][:1].expand_as(arguments[name]).clone()


def _expanded(arguments):
    """The inputs, where there is more than one sequence."""
    return INPUTS if len(arguments["q"]) > 1 else ()


def _scale(draw, call):
    """How large the terms are that the gradients of q and k are sums of: where one key has all the weight, they cancel."""
    reference, heads = draw.reference, call.arguments["num_heads"]
    doubles = {name: value.double() for name, value in call.arguments.items() if isinstance(value, Tensor)}
    projected = reference.project_inputs(*(doubles[name] for name in INPUTS), doubles["in_proj_weight"])
    Q, K, V = (reference.split_heads(x, heads) for x in projected)
    upstream = reference.split_heads(call.gradient.double() @ doubles["out_proj_weight"], heads)
    of_scores = reference.scale(upstream @ V.mT, Q.shape[-1]).abs().amax().item()
    return of_scores * max(1.0, Q.abs().amax().item(), K.abs().amax().item())


def _told(choice):
    if choice["mask"] in UNMASKED:
        masked = "no mask" if choice["mask"] == "none" else "mask left out"
    else:
        masked = f"a mask {choice['shape of the mask']} that {choice['mask']} ({choice['dtype of the mask']})"
    told = (
        f"N = {choice['N']}, L_q = {choice['L_q']}, L_k = {choice['L_k']}",
        f"num_heads = {choice['heads']}, d_model = {choice['heads'] * choice['d_head']}",
        masked,
        choice["dtype"],
        *(() if choice["inputs"] == "different" else (choice["inputs"],)),
        *(() if choice["tokens"] == "usual" else ("a token of zeros",)),
        *(() if choice["scores"] == "usual" else (f"scores {choice['scores']}",)),
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["gradients"] == "not asked for" else (f"gradients {choice['gradients']}",)),
    )
    return ", ".join(told)


STATED = {
    "longer": "`L_k` may differ from `L_q`",
    "mask": "Every query may see at least one key",
    "shape of the mask": "`(L_q, L_k)`, `(1, L_q, L_k)`, `(N, 1, L_k)`, `(1, 1, L_k)`",
    "dtype of the mask": "boolean, or holds the numbers 0 and 1 as integers or floats",
    "dtype": "float32 or float64",
    "layout": "need not be contiguous",
    "inputs": "three different tensors, slices of one tensor, or the same tensor",
    "gradients": "of `q`, `k`, `v` and of both weights, in whatever combination a call asks for.\n"
    "* **Modes**: calls under `torch.no_grad` and `torch.inference_mode`",
    "scores": "several hundred, positive or negative, varying that much from one query to the next, or only for hidden keys",
    "tokens": "A token may be all zeros",
}

SPACES = {MHA: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

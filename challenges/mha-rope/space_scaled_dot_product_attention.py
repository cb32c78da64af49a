"""Any call of scaled_dot_product_attention that the spec allows, run after space.py."""

ATTENTION = "scaled_dot_product_attention"
UNMASKED = {"none": None, "left out": LEFT_OUT}
MASK_SHAPES = {  # of the leading axes: those of the queries are (batch) or (batch, heads)
    "(..., queries, keys)": lambda lead, queries: (*lead, queries),
    "(batch, 1, queries, keys)": lambda lead, queries: (*lead[:1], 1, queries),
    "(heads, queries, keys)": lambda lead, queries: (*lead[1:], queries),
    "(1, queries, keys)": lambda lead, queries: (1, queries),
    "(queries, keys)": lambda lead, queries: (queries,),
    "(..., 1, keys)": lambda lead, queries: (lead[0], *(1 for _ in lead[1:]), 1),
}
SHARED = {"Q is K is V": QKV, "K is V": QKV[1:]}
ATTENTION_ASKED = {"of Q and K": QKV[:2], "of V": QKV[2:], "of Q, K and V": QKV}
ATTENTION_DIMENSIONS = {
    "leading axes": ("(batch)", "(batch, heads)"),
    "batch": (1, 2, 3),
    "heads": (1, 2, 3),
    "queries": (1, 2, 3),
    "keys": (1, 2, 3),
    "d_k": (1, 2, 3),
    "d_v": (1, 2, 3),
    "inputs": ("different", *SHARED),
    "mask": (*UNMASKED, "hides nothing", "hides some", "hides all but one"),
    "shape of the mask": tuple(MASK_SHAPES),
    "dtype": tuple(DTYPES),
    "gradients": ("not asked for", *MODES, *ATTENTION_ASKED),
    "scores": ("usual", "far above zero", "far below zero", "far apart", "highest where hidden"),
}


ATTENTION_STATED = {name: STATED[name] for name in ("dtype", "gradients", "scores")} | {
    "leading axes": "takes 3-D and 4-D tensors",
    "inputs": "`Q`, `K` and `V` may be the same tensor",
    "mask": "no row of `mask` is all False",
    "shape of the mask": "broadcastable to `(..., queries, keys)`",
}


def _settled_attention(choice):
    if choice["leading axes"] == "(batch)":
        del choice["heads"]
    if choice["inputs"] != "different":
        choice |= {"d_v": choice["d_k"], "scores": "usual"}
    if choice["inputs"] == "Q is K is V":
        choice["keys"] = choice["queries"]
    _settle_mask(choice)
    is_hiding = choice["mask"] in ("hides some", "hides all but one")
    if choice["scores"] == "highest where hidden" and not is_hiding:
        choice["scores"] = "far above zero"
    elif choice["scores"] == "far apart" and choice["queries"] == 1:
        choice["scores"] = "far below zero"
    return choice


def _settle_mask(choice):
    if choice["mask"] in UNMASKED:
        del choice["shape of the mask"]
        return
    if choice["keys"] == 1:
        choice["mask"] = "hides nothing"
    with_heads = ("(batch, 1, queries, keys)", "(heads, queries, keys)")
    if "heads" not in choice and choice["shape of the mask"] in with_heads:
        choice["shape of the mask"] = "(..., queries, keys)"


def _attention_sizes(choice):
    return {name: choice[name] for name in ("batch", "heads", "queries", "keys", "d_k", "d_v") if name in choice}


def _chosen_mask(draw, choice, lead, hidden):
    """True where a query may attend; that key is hidden from all, where any is."""
    keys = choice["keys"]
    shape = (*MASK_SHAPES[choice["shape of the mask"]](lead, choice["queries"]), keys)
    order = draw.normal(*shape)
    order[..., hidden] = -math.inf
    low, high = {"hides nothing": (0, 0), "hides some": (1, keys - 1), "hides all but one": (keys - 1, keys - 1)}[
        choice["mask"]
    ]
    count = torch.tensor([draw.integer(low, high) for _ in range(math.prod(shape[:-1]))]).reshape(*shape[:-1], 1)
    return order.argsort(dim=-1).argsort(dim=-1) >= count


def _chosen_qkv(draw, choice, lead, hidden):
    arguments = _qkv(draw, (*lead, choice["queries"], choice["d_k"]), keys=choice["keys"], d_v=choice["d_v"])
    if choice["scores"] != "usual":
        per_score = math.sqrt(choice["d_k"]) * QUERY
        asking, seen = QUERY + 2 * arguments["Q"], 0.07 * arguments["K"]
        if choice["scores"] == "highest where hidden":
            seen[..., hidden, :] += HIDDEN_ABOVE / per_score
        else:
            seen += (-ABOVE if choice["scores"] == "far below zero" else ABOVE) / per_score
        if choice["scores"] == "far apart":
            asking[..., ::2, :] *= -1
        arguments |= {"Q": asking, "K": seen}
    for name in SHARED.get(choice["inputs"], ()):
        arguments[name] = arguments["V"].clone()
    return {name: value.to(DTYPES[choice["dtype"]]) for name, value in arguments.items()}


def _attention_combination(draw, choice):
    lead = (choice["batch"], choice["heads"]) if "heads" in choice else (choice["batch"],)
    hidden = draw.integer(0, choice["keys"] - 1)
    arguments = _chosen_qkv(draw, choice, lead, hidden)
    growth = FEW_VALUES * (_attention_growth if choice["scores"] == "usual" else _aligned_growth)(arguments)
    if choice["mask"] == "none":
        arguments["mask"] = None
    elif "shape of the mask" in choice:
        arguments["mask"] = _chosen_mask(draw, choice, lead, hidden)
    of = ATTENTION_ASKED.get(choice["gradients"], ())
    dtype = arguments["Q"].dtype
    upstream = draw.normal(*lead, choice["queries"], choice["d_v"], dtype=dtype)
    call = Call(
        "",
        ATTENTION,
        arguments,
        gradient=upstream if of else None,
        differentiate=of,
        shared=SHARED.get(choice["inputs"], ()),
        grad_mode=MODES.get(choice["gradients"], GradMode.DEFAULT),
        return_arguments=True,
    )
    aspects = OUTPUT_AND_ARGUMENTS | ({Aspect.GRADIENTS} if of else set())
    scale = _largest_term(*(arguments[name].double() for name in QKV), upstream.double()) if of else 0.0
    growth *= 4 if of else 1
    return Case("", _told_attention(choice, lead), call, growth=growth, scale=scale, aspects=aspects)


def _told_attention(choice, lead):
    if choice["mask"] in UNMASKED:
        masked = "mask=None" if choice["mask"] == "none" else f"mask {choice['mask']}"
    else:
        masked = f"a mask {choice['shape of the mask']} that {choice['mask']}"
    told = (
        f"attention of {(*lead, choice['queries'], choice['d_k'])}",
        f"{choice['keys']} key{'s' if choice['keys'] > 1 else ''}",
        f"d_v = {choice['d_v']}",
        masked,
        choice["dtype"],
        *(() if choice["inputs"] == "different" else (choice["inputs"],)),
        *_told_rest(choice),
    )
    return ", ".join(told)


SPACES[ATTENTION] = Space(
    ATTENTION_DIMENSIONS, _settled_attention, _attention_sizes, _attention_combination, ATTENTION_STATED
)

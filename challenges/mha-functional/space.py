"""Any call of multi_head_attention that the spec allows, for the family `combinations`."""

from grader.combinations import Space

UNMASKED = {"none": None, "left out": LEFT_OUT}
MASK_SHAPES = {
    "(N, L_q, L_k)": lambda n, q, k: (n, q, k),
    "(L_q, L_k)": lambda n, q, k: (q, k),
    "(1, L_q, L_k)": lambda n, q, k: (1, q, k),
    "(N, 1, L_k)": lambda n, q, k: (n, 1, k),
}
MASK_DTYPES = {
    "boolean": torch.bool,
    "integers": torch.int64,
    "bytes": torch.uint8,
    "float32": torch.float32,
    "float64": torch.float64,
}
DTYPES = {"float32": torch.float32, "float64": torch.float64}
ASKED = {"of the inputs": INPUTS, "of the weights": WEIGHTS}

SCORES = {"usual": 1.0, "in the hundreds": 6.0}

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
    "layout": ("contiguous", "not contiguous"),
    "gradients": ("none", *ASKED),
    "scores": tuple(SCORES),
}


def _settled(choice):
    if choice["mask"] in UNMASKED:
        del choice["shape of the mask"], choice["dtype of the mask"]
    elif choice["L_k"] == 1:
        choice["mask"] = "hides nothing"
    queries, keys = choice["L_q"], choice["L_k"]
    return choice | {"longer": "neither" if queries == keys else "queries" if queries > keys else "keys"}


def _sizes(choice):
    sizes = {name: choice[name] for name in ("N", "L_q", "L_k", "heads", "d_head")}
    return sizes | {"d_model": sizes["heads"] * sizes["d_head"]}


def _chosen_mask(draw, choice):
    if choice["mask"] in UNMASKED:
        return UNMASKED[choice["mask"]]
    shape = MASK_SHAPES[choice["shape of the mask"]](choice["N"], choice["L_q"], choice["L_k"])
    if choice["mask"] == "hides nothing":
        mask = torch.zeros(shape, dtype=torch.bool)
    elif choice["mask"] == "hides some":
        mask = _mask(draw, *shape)
    else:
        mask = draw.normal(*shape).argsort(dim=-1) > 0
    return mask.to(MASK_DTYPES[choice["dtype of the mask"]])


def _combination(draw, choice):
    dtype, of = DTYPES[choice["dtype"]], ASKED.get(choice["gradients"], ())
    arguments = _arguments(
        draw,
        batch=choice["N"],
        queries=choice["L_q"],
        keys=choice["L_k"],
        heads=choice["heads"],
        d_head=choice["d_head"],
        mask=_chosen_mask(draw, choice),
        gain=SCORES[choice["scores"]],
        dtype=dtype,
    )
    tensors = tuple(name for name, value in arguments.items() if isinstance(value, Tensor))
    call = Call(
        "",
        MHA,
        arguments,
        gradient=draw.normal(*arguments["q"].shape, dtype=dtype) if of else None,
        differentiate=of,
        strided=tensors if choice["layout"] == "not contiguous" else (),
        return_arguments=True,
    )
    aspects = frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS, *({Aspect.GRADIENTS} if of else ())})
    return Case("", _told(choice), call, growth=(4 if of else 1) * _growth(draw, arguments), aspects=aspects)


def _told(choice):
    if choice["mask"] in UNMASKED:
        masked = "no mask" if choice["mask"] == "none" else "mask left out"
    else:
        masked = f"a mask {choice['shape of the mask']} of {choice['dtype of the mask']} that {choice['mask']}"
    told = (
        f"N = {choice['N']}, L_q = {choice['L_q']}, L_k = {choice['L_k']}",
        f"num_heads = {choice['heads']}, d_model = {choice['heads'] * choice['d_head']}",
        masked,
        choice["dtype"],
        *(() if choice["scores"] == "usual" else (f"scores {choice['scores']}",)),
        *(() if choice["layout"] == "contiguous" else (choice["layout"],)),
        *(() if choice["gradients"] == "none" else (f"with gradients {choice['gradients']}",)),
    )
    return ", ".join(told)


STATED = {
    "longer": "`L_k` may differ from `L_q`",
    "mask": "No query is hidden from all keys",
    "shape of the mask": "`(L_q, L_k)`, `(1, L_q, L_k)`, `(N, 1, L_k)`",
    "dtype of the mask": "boolean, or holds the numbers 0 and 1 as integers or floats",
    "dtype": "float32 or float64",
    "layout": "need not be contiguous",
    "gradients": "gradients of `q`, `k`, `v` and of both weights",
    "scores": "scores of several hundred",
}

SPACES = {MHA: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

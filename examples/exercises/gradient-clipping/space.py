"""Any clipping that the spec allows, for the family `combinations`."""

from grader.authoring import Space

DTYPES = {
    "float32": (torch.float32, torch.float32),
    "float64": (torch.float64, torch.float64),
    "float32 and float64": (torch.float32, torch.float64),
}
SIZES = {"about 1": 1.0, "as small as eps": 3e-6}
LIMITS = {"below the norm": 0.6, "above the norm": 1.2, "equal to the norm": 1.0, "zero": 0.0}
EPS = {"left out": None, "as large as the norm": 1.0, "zero": 0.0}  # as shares of the norm

DIMENSIONS = {
    "parameters": (0, 1, 2, 3),
    "rows": (1, 2, 3),
    "shape": ("a vector", "a matrix", "a single number"),
    "layout": ("in order", "transposed"),
    "gradients": ("all there", "one missing", "all missing"),
    "numbers": tuple(SIZES),
    "max_norm": tuple(LIMITS),
    "eps": tuple(EPS),
    "dtype": tuple(DTYPES),
    "given as": ("a list", "a generator"),
}


def _settled(choice):
    if choice["parameters"] == 0:
        choice["gradients"] = "all there"
    if choice["parameters"] == 1 and choice["gradients"] == "one missing":
        choice["gradients"] = "all there"
    if choice["parameters"] < 2 and choice["dtype"] == "float32 and float64":
        choice["dtype"] = "float32"
    if choice["shape"] == "a single number":
        choice["rows"] = 1
    if choice["shape"] != "a matrix":
        choice["layout"] = "in order"
    return choice


def _sizes(choice):
    return {"parameters": choice["parameters"], "rows": choice["rows"]}


def _shape(choice):
    return {"a vector": (choice["rows"],), "a matrix": (choice["rows"], 2), "a single number": ()}[choice["shape"]]


def _gradients_of(draw, choice):
    count, dtypes = choice["parameters"], DTYPES[choice["dtype"]]
    missing = draw.integer(0, max(0, count - 1))
    gradients = [
        _gradient(draw, *_shape(choice), size=SIZES[choice["numbers"]], dtype=dtypes[place % 2])
        for place in range(count)
    ]
    if choice["max_norm"] == "equal to the norm":
        gradients = [
            _of_one_number(gradient, place == (missing + 1) % count) for place, gradient in enumerate(gradients)
        ]
    for place in range(count):
        if choice["gradients"] == "all missing" or (choice["gradients"] == "one missing" and place == missing):
            gradients[place] = None
    return gradients


def _of_one_number(gradient, is_there):
    """All zeros but one power of two, if any, so that the norm is exact however it is computed."""
    alone = torch.zeros_like(gradient)
    if is_there:
        alone.view(-1)[0] = 2.0 ** round(math.log2(gradient.abs().max().item()))
    return alone


def _combination(draw, choice):
    gradients = _gradients_of(draw, choice)
    norm, eps = _norm(gradients), EPS[choice["eps"]]
    script = _clipped(
        gradients,
        LIMITS[choice["max_norm"]] * norm,
        eps=None if eps is None else eps * norm,
        as_generator=choice["given as"] == "a generator",
        is_transposed=choice["layout"] == "transposed",
    )
    return _case("", _told(choice), script)


def _told(choice):
    kind = f"parameters: {choice['parameters']} of shape {_shape(choice)}"
    words = [f"gradients {choice['gradients']}, {choice['layout']}, numbers {choice['numbers']}"]
    return ", ".join(
        [kind, *words, f"max_norm {choice['max_norm']}", f"eps {choice['eps']}", choice["dtype"], choice["given as"]]
    )


STATED = {
    "shape": "of any shape, a single number included",
    "layout": "may be a transposed\n  view",
    "gradients": "One gradient may be missing, or all",
    "numbers": "gradients may be as small as `eps`",
    "max_norm": "and if it is exactly `max_norm`, nothing changes",
    "eps": "it may be as large as the norm",
    "dtype": "float32 or float64, also both in one model",
    "given as": "a list, or often a generator",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

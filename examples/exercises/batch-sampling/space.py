"""Any batch that the spec allows, for the family `combinations`."""

from grader.authoring import Space

KINDS = {
    "an array of uint16": "uint16",
    "an array of int32": "int32",
    "an array of int64": "int64",
    "a tensor": "tensor",
}
FIRST = {"small": 1, "above 32,767": 60_000}
ROWS_SEEN = 40  # in one case at least: all pairs of two places are among them

DIMENSIONS = {
    "batch_size": (1, 2, 3, 5),
    "context_length": (1, 2, 3, 5),
    "places": (1, 2),
    "tokens": tuple(KINDS),
    "ids": tuple(FIRST),
    "device": ("cpu", "meta"),
}


def _settled(choice):
    return choice


def _sizes(choice):
    return {"batch_size": choice["batch_size"], "context_length": choice["context_length"], "N": _count(choice)}


def _count(choice):
    return choice["places"] + choice["context_length"]


def _combination(draw, choice):
    given = {
        "first": FIRST[choice["ids"]] + draw.integer(0, 999),
        "places": choice["places"],
        "kind": KINDS[choice["tokens"]],
        "batch_size": choice["batch_size"],
        "context_length": choice["context_length"],
    }
    if choice["device"] == "cpu":
        return _rising(draw, "", _told(choice), given, calls=-(-ROWS_SEEN // choice["batch_size"]))
    script = Script(FUNCTION)
    tokens = _held(script, given["first"] + STEP * np.arange(_count(choice)), given["kind"])
    _on_meta(script, tokens, choice["batch_size"], choice["context_length"])
    return Case("", _told(choice), _seeded(draw, script))


def _told(choice):
    sizes = f"batch_size = {choice['batch_size']}, context_length = {choice['context_length']}, {_count(choice)} tokens"
    return f"{sizes} that rise by {STEP}, {choice['tokens']}, ids {choice['ids']}, device {choice['device']}"


STATED = {
    "tokens": "a NumPy array of dtype uint16, int32 or int64, or a tensor of dtype int64",
    "ids": "ids may be as large as the dtype allows",
    "device": "some name `meta`",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

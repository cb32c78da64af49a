"""Any training by AdamW that the spec allows, for the family `combinations`."""

from grader.authoring import Space

RATES = {"usual": 0.1, "left out": None, "zero": 0.0, "changed after each step": 0.1}
BETAS = {"left out": None, "short": (0.4, 0.7), "zeros": (0.0, 0.0)}
EPS = {"left out": None, "as large as the gradients": 0.3}
DECAYS = {"left out": None, "zero": 0.0, "given": 0.4}
DTYPES = {"float32": torch.float32, "float64": torch.float64}

DIMENSIONS = {
    "parameters": (1, 2, 3),
    "numbers in each": (1, 2, 3),
    "steps": (1, 2, 3),
    "lr": tuple(RATES),
    "betas": tuple(BETAS),
    "eps": tuple(EPS),
    "weight_decay": tuple(DECAYS),
    "gradients": ("in every step", "missing in one step", "missing in all"),
    "dtype": tuple(DTYPES),
    "params": ("a list", "a generator"),
}


def _settled(choice):
    if choice["gradients"] == "missing in one step" and choice["steps"] == 1:
        choice["gradients"] = "in every step"
    if choice["gradients"] == "missing in all" and choice["parameters"] == 1:
        choice["gradients"] = "in every step"
    if choice["lr"] == "changed after each step" and choice["steps"] == 1:
        choice["lr"] = "usual"
    return choice


def _sizes(choice):
    return {name: choice[name] for name in ("parameters", "numbers in each", "steps")}


def _combination(draw, choice):
    count, width, steps = choice["parameters"], choice["numbers in each"], choice["steps"]
    dtype = DTYPES[choice["dtype"]]
    missing = draw.integer(0, count - 1), draw.integer(1, steps) if steps > 1 else 1
    gradients = [[_gradients(draw, width, dtype=dtype) for _ in range(count)] for _ in range(steps)]
    for number in range(steps):
        is_in_one = choice["gradients"] == "missing in one step" and number + 1 == missing[1]
        if is_in_one or choice["gradients"] == "missing in all":
            gradients[number][missing[0]] = None
    given = {
        "lr": RATES[choice["lr"]],
        "betas": BETAS[choice["betas"]],
        "eps": EPS[choice["eps"]],
        "weight_decay": DECAYS[choice["weight_decay"]],
    }
    is_changing = choice["lr"] == "changed after each step"
    script = _trained(
        [_weights(draw, width, dtype=dtype) for _ in range(count)],
        gradients,
        {name: value for name, value in given.items() if value is not None},
        after_steps={number: {"lr": 0.1 + 0.1 * number} for number in range(1, steps)} if is_changing else None,
        as_generator=choice["params"] == "a generator",
    )
    return _case("", _told(choice), script, steps)


def _told(choice):
    sizes = f"{choice['parameters']} parameters of {choice['numbers in each']}, {choice['steps']} steps"
    words = [f"{name} {choice[name]}" for name in ("lr", "betas", "eps", "weight_decay")]
    gradients = [] if choice["gradients"] == "in every step" else [f"a gradient {choice['gradients']}"]
    return ", ".join([sizes, *words, *gradients, choice["dtype"], choice["params"]])


STATED = {
    "lr": "a schedule may change the learning rate between steps, to 0 as well",
    "betas": "betas of zero keep no average at all",
    "eps": "eps may be as large as the gradients",
    "weight_decay": "the weight decay may be zero or left out",
    "gradients": "gradients may be missing in one step, or in all",
    "dtype": "are float32 or float64",
    "params": "often a generator",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

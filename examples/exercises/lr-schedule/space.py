"""Any step of any schedule that the spec allows, for the family `combinations`."""

from grader.authoring import Space

MOMENTS = (
    "the first",
    "the last of the warm-up",
    "warmup_steps",
    "within the cosine",
    "the last of the cosine",
    "cosine_steps",
    "the one after cosine_steps",
    "long after cosine_steps",
)
LARGEST = {"below 1": 0.6, "small": 3e-4, "a whole number": 2}
SMALLEST = {"zero": 0, "between": 0.25, "equal to max_lr": 1}  # as shares of the largest

DIMENSIONS = {
    "warmup_steps": (0, 1, 2, 3, 5),
    "steps of the cosine": (0, 1, 2, 3, 4),
    "step": MOMENTS,
    "max_lr": tuple(LARGEST),
    "min_lr": tuple(SMALLEST),
}


def _settled(choice):
    """Without a warm-up it has no last step, and a cosine of one step has none within."""
    if choice["step"] == "the last of the warm-up" and choice["warmup_steps"] == 0:
        choice["step"] = "warmup_steps"
    if choice["step"] == "within the cosine" and choice["steps of the cosine"] < 2:
        choice["step"] = "the last of the cosine"
    if choice["step"] == "the last of the cosine" and choice["steps of the cosine"] < 1:
        choice["step"] = "cosine_steps"
    return choice


def _cosine_steps(choice):
    return choice["warmup_steps"] + choice["steps of the cosine"]


def _sizes(choice):
    return {"warmup_steps": choice["warmup_steps"], "cosine_steps": _cosine_steps(choice)}


def _step(draw, choice):
    warmup_steps, cosine_steps = choice["warmup_steps"], _cosine_steps(choice)
    match choice["step"]:
        case "the first":
            return 0
        case "the last of the warm-up":
            return warmup_steps - 1
        case "warmup_steps":
            return warmup_steps
        case "within the cosine":
            return draw.integer(warmup_steps + 1, cosine_steps - 1)
        case "the last of the cosine":
            return cosine_steps - 1
        case "cosine_steps":
            return cosine_steps
        case "the one after cosine_steps":
            return cosine_steps + 1
        case "long after cosine_steps":
            return cosine_steps + draw.integer(20, 200)


def _combination(draw, choice):
    largest = LARGEST[choice["max_lr"]]
    rates = {"max_lr": largest, "min_lr": SMALLEST[choice["min_lr"]] * largest}
    step = _step(draw, choice)
    title = (
        f"step {step} ({choice['step']}), warmup_steps = {choice['warmup_steps']}, cosine_steps = {_cosine_steps(choice)}, "
        f"max_lr = {rates['max_lr']:g}, min_lr = {rates['min_lr']:g}"
    )
    return _case("", title, _arguments(step, rates, choice["warmup_steps"], _cosine_steps(choice)))


STATED = {
    "step": "Any step may be asked for",
    "max_lr": "Rates may be whole numbers, such as 1",
    "min_lr": "`min_lr` may be 0, and it may equal `max_lr`",
}

SPACES = {FUNCTION: Space(DIMENSIONS, _settled, _sizes, _combination, STATED)}

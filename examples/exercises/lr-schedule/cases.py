"""The case families of lr-schedule: one generator each. Name = what is probed; docstring = why."""

from collections.abc import Iterator, Sequence

from grader.authoring import Call, Case, Draw, Gives, Script, StructureCall

FUNCTION = "learning_rate"
# A right answer may compute in float32, where the share, its product with pi, the cosine, the sum and the product with the
# rates round: seven times. The rest is room, for verify wants right answers to stay at a tenth of what they may be off by.
ROUNDINGS = 64
RATE = "learning rate"


def _rates(draw: Draw) -> dict[str, float]:
    """Far enough apart that one is never taken for the other."""
    largest = draw.integer(50, 90) / 100
    return {"max_lr": largest, "min_lr": largest * draw.integer(10, 40) / 100}


def _arguments(step: int, rates: dict[str, float], warmup_steps: int, cosine_steps: int) -> dict[str, float]:
    return {"step": step, **rates, "warmup_steps": warmup_steps, "cosine_steps": cosine_steps}


def _case(name: str, title: str, arguments: dict[str, float], hint: str = "") -> Case:
    call = Call("", FUNCTION, arguments, gives=Gives.VALUES)
    return Case(name, title, call, growth=ROUNDINGS, scale=arguments["max_lr"], hint=hint, what=RATE)


def _asked(asked: Sequence[dict[str, float]]) -> Script:
    """One call after the other."""
    script = Script(FUNCTION)
    for arguments in asked:
        script.call(FUNCTION, arguments, what=f"{RATE} of step {arguments['step']}")
    return script


def _sequence(name: str, title: str, asked: Sequence[dict[str, float]], hint: str = "") -> Case:
    scale = min(arguments["max_lr"] for arguments in asked)
    return Case(name, title, _asked(asked).as_call(), growth=ROUNDINGS, scale=scale, hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """One step of each phase, and the example of spec.md."""
    example = {"max_lr": 1.0, "min_lr": 0.2}
    asked = [_arguments(step, example, 2, 6) for step in range(8)]
    yield _sequence("example", "the example in the exercise", asked)
    rates, warmup, cosine = _rates(draw), draw.integer(6, 9), draw.integer(20, 30)
    for name, title, step in (
        ("first", "the first step of a warm-up", 0),
        ("warm-up", "a step of the warm-up", draw.integer(2, warmup - 2)),
        ("cosine", "a step of the cosine", draw.integer(warmup + 2, cosine - 2)),
        ("constant", "a step after the cosine", cosine + draw.integer(2, 9)),
    ):
        yield _case(name, f"{title}: step {step}", _arguments(step, rates, warmup, cosine))
    below = "The warm-up begins at 0, whatever min_lr is."
    high = {"max_lr": rates["max_lr"], "min_lr": 0.8 * rates["max_lr"]}
    yield _case("below", "a step of the warm-up below min_lr", _arguments(1, high, warmup, cosine), below)
    zero = {**rates, "min_lr": 0.0}
    yield _case("to-zero", "a cosine that ends at 0", _arguments(warmup + 3, zero, warmup, cosine))
    yield _case("at-zero", "after a cosine that ends at 0", _arguments(cosine + 5, zero, warmup, cosine))
    small = {"max_lr": 6e-4, "min_lr": 6e-5}
    yield _case("usual", "rates as in practice", _arguments(1500 + draw.integer(1, 99), small, 1000, 10_000))
    exact = "The result is not rounded, however small it is."
    tiny = {"max_lr": 6.1e-6, "min_lr": 6.3e-7}
    for name, step in (("warm-up", draw.integer(11, 99)), ("cosine", draw.integer(1500, 9000))):
        yield _case(f"tiny-{name}", f"small rates, step {step}", _arguments(step, tiny, 1000, 10_000), exact)


def borders(draw: Draw) -> Iterator[Case]:
    """A step too early or too late is seen nowhere else."""
    rates, warmup, cosine = _rates(draw), draw.integer(3, 5), draw.integer(8, 12)
    top = "Step warmup_steps gets max_lr exactly: the cosine begins there."
    end = "Step cosine_steps gets min_lr exactly, and not earlier."
    for name, step, hint in (
        ("before-top", warmup - 1, top),
        ("top", warmup, top),
        ("after-top", warmup + 1, top),
        ("before-end", cosine - 1, end),
        ("end", cosine, end),
        ("after-end", cosine + 1, end),
    ):
        title = f"step {step} of warmup_steps = {warmup}, cosine_steps = {cosine}"
        yield _case(name, title, _arguments(step, rates, warmup, cosine), hint)
    far = "After the cosine the rate stays at min_lr: the wave does not go on."
    whole_wave = cosine + (cosine - warmup)
    yield _case(
        "next-wave", "where the cosine would be at its top again", _arguments(whole_wave, rates, 3, cosine), far
    )
    yield _case("far", "a million steps later", _arguments(1_000_000, rates, warmup, cosine), far)


def empty(draw: Draw) -> Iterator[Case]:
    """No warm-up, no cosine, neither."""
    rates, steps = _rates(draw), draw.integer(4, 8)
    without_warmup = "warmup_steps may be 0: the cosine begins with step 0."
    for step in (0, 1, steps):
        arguments = _arguments(step, rates, 0, steps)
        yield _case(f"no-warm-up-{step}", f"no warm-up, step {step}", arguments, without_warmup)
    without_cosine = "cosine_steps may equal warmup_steps: from there on the rate is min_lr."
    for step in (steps - 1, steps, steps + 1):
        arguments = _arguments(step, rates, steps, steps)
        name = f"no-cosine-{step - steps + 1}"
        yield _case(name, f"no cosine, step {step} with warmup_steps = {steps}", arguments, without_cosine)
    neither = "Where both are 0, every step gets min_lr."
    for step in (0, 3):
        yield _case(
            f"neither-{step}", f"no phase before the constant one, step {step}", _arguments(step, rates, 0, 0), neither
        )
    yield _case("one-of-each", "one step each, step 1", _arguments(1, rates, 1, 2))


def schedules(draw: Draw) -> Iterator[Case]:
    """All steps, as training asks for them."""
    for name, warmup, cosine in (
        ("short", draw.integer(2, 3), draw.integer(6, 8)),
        ("long-warm-up", draw.integer(8, 10), 12),
        ("long-cosine", 2, draw.integer(14, 18)),
    ):
        rates = _rates(draw)
        asked = [_arguments(step, rates, warmup, cosine) for step in range(cosine + 3)]
        yield _sequence(name, f"all steps of warmup_steps = {warmup}, cosine_steps = {cosine}", asked)
    level = {"max_lr": 0.5, "min_lr": 0.5}
    asked = [_arguments(step, level, 3, 6) for step in range(8)]
    yield _sequence("level", "min_lr equal to max_lr", asked)
    whole = {"max_lr": 3, "min_lr": 1}
    asked = [_arguments(step, whole, 4, 9) for step in range(11)]
    yield _sequence("whole", "rates that are whole numbers", asked)


def contract(draw: Draw) -> Iterator[Case]:
    """A schedule is asked out of order when training goes on from a checkpoint, or a chart is drawn."""
    hint = "Nothing is remembered between calls: the step is in the arguments."
    rates, warmup, cosine = _rates(draw), 4, 12
    backwards = [_arguments(step, rates, warmup, cosine) for step in reversed(range(14))]
    yield _sequence("backwards", "the last step first", backwards, hint)
    again = [_arguments(step, rates, warmup, cosine) for step in (7, 7, 2, 7, 2)]
    yield _sequence("again", "the same steps several times", again, hint)
    others = [_rates(draw) for _ in range(3)]
    mixed = [_arguments(step, other, 3, 9 + place) for step in (1, 5, 8) for place, other in enumerate(others)]
    yield _sequence("schedules", "three schedules in turns", mixed, hint)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged."""
    return [StructureCall(_asked([_arguments(step, _rates(draw), 2, 6) for step in range(8)]).as_call())]


def workload(draw: Draw) -> Call:
    """What is timed."""
    rates = _rates(draw)
    return _asked([_arguments(step, rates, 20, 160) for step in range(200)]).as_call()


def example(draw: Draw, step: int, warmup_steps: int, cosine_steps: int) -> Call:
    """What a student may try by hand."""
    rates = {"max_lr": 0.8, "min_lr": draw.choice([0.1, 0.2, 0.3])}
    return Call("", FUNCTION, _arguments(step, rates, warmup_steps, cosine_steps), gives=Gives.VALUES)


EXAMPLE_SIZES = (
    {"step": 1, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 2, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 3, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 4, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 0, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 5, "warmup_steps": 2, "cosine_steps": 4},
    {"step": 0, "warmup_steps": 0, "cosine_steps": 3},
    {"step": 1, "warmup_steps": 1, "cosine_steps": 1},
    {"step": 3, "warmup_steps": 2, "cosine_steps": 8},
    {"step": 6, "warmup_steps": 2, "cosine_steps": 4},
)

FAMILIES = {
    "values": values,
    "borders": borders,
    "empty": empty,
    "schedules": schedules,
    "contract": contract,
}

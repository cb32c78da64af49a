"""The case families of checkpoint: one generator each. Name = what is probed; docstring = why.

A case is a story: a training run is saved, something happens, it is loaded, and goes on. What the harness makes stays in the
sandbox; what is in it is read before and after.
"""

from collections.abc import Iterator

from grader.authoring import Call, Case, Draw, Script, StructureCall

SAVE, LOAD = "save_checkpoint", "load_checkpoint"
ELSEWHERE = "load_elsewhere"  # what the harness calls loading in another process
# Both sides train the same model in the same dtype; what differs is the order of a few sums.
ROUNDINGS = 256
ROUNDINGS_IN_DOUBLE = ROUNDINGS * 2**-20  # counted in those of float32, and still many of float64
FURTHER = 2  # steps after loading
# What lies at a path already: the checkpoint of a model of other sizes.
EARLIER = {"a shorter one": {"layers": 1, "width": 1, "steps": 0}, "a longer one": {"layers": 5, "width": 4}}


def _made(script: Script, given: dict, **changed: object) -> tuple:
    """The model and the optimizer of a training run."""
    made = script.call("training", {**given, **changed}, is_compared=False)
    return made, script.item(made, 0), script.item(made, 1)


def _saved(script: Script, model: object, optimizer: object, step: int, out: object) -> object:
    """A copy of what was saved."""
    arguments = {"model": model, "optimizer": optimizer, "step": step, "out": out}
    script.call(SAVE, arguments, is_compared=False)
    return script.call("written", {"out": out, "model": model}, is_compared=False)


def _place(script: Script, kind: str, name: str = "run.pt") -> object:
    return script.call("place", {"kind": kind, "name": name}, is_compared=False)


def _loaded(script: Script, src: object, made: object, model: object, optimizer: object, how: str = LOAD) -> None:
    arguments = {"src": src, "model": model, "optimizer": optimizer}
    script.call(how, arguments, what="result of `load_checkpoint(...)`")
    script.call("state", {"made": made}, what="state after loading")


def _round_trip(
    given: dict,
    *,
    step: int = 7,
    kind: str = "a buffer",
    name: str = "run.pt",
    earlier: str = "none",
    function: str = LOAD,
    other_steps: int = 1,
    mode: str = "train",
) -> Script:
    """One training run is saved; another of the same sizes, in another process, takes it over and goes on."""
    script = Script(function)
    made, model, optimizer = _made(script, given)
    out = _place(script, kind, name)
    if earlier != "none":
        _, another, its_optimizer = _made(script, given, **EARLIER[earlier])
        _saved(script, another, its_optimizer, step + 1, out)
    src = _saved(script, model, optimizer, step, out)
    script.call("state", {"made": made}, what="state of what was saved, after saving")
    other, other_model, other_optimizer = _made(
        script, given, steps=other_steps, seed=given["seed"] + 1, lr=None, mode=mode
    )
    _loaded(script, src, other, other_model, other_optimizer, ELSEWHERE)
    further = {"made": other, "steps": FURTHER, "seed": 5}
    script.call("going_on", further, what=f"weights {FURTHER} steps after loading")
    return script


def _given(draw: Draw, **changed: object) -> dict:
    usual = {"layers": 2, "width": 3, "kind": "plain", "optimizer": "AdamW", "steps": 3}
    return usual | {"seed": draw.integer(1, 10_000), "lr": None, "mode": "train"} | changed


def _case(name: str, title: str, script: Script, hint: str = "", *, kind: str = "plain") -> Case:
    growth = ROUNDINGS_IN_DOUBLE if kind == "float64" else ROUNDINGS
    return Case(name, title, script.as_call(), growth=growth, hint=hint)


def round_trip(draw: Draw) -> Iterator[Case]:
    """A new process takes over; or the same one goes back."""
    alone = "Whoever loads is a new process, which has nothing but the file."
    for name, optimizer in (("adamw", "AdamW"), ("sgd", "SGD")):
        script = _round_trip(_given(draw, optimizer=optimizer), step=draw.integer(1, 10_000))
        yield _case(name, f"saved by one training run with {optimizer}, loaded by another", script, alone)
    yield _case("step-zero", "step 0", _round_trip(_given(draw), step=0), "`step` may be 0.")
    script = Script(LOAD)
    given = _given(draw)
    made, model, optimizer = _made(script, given)
    src = _saved(script, model, optimizer, 7, _place(script, "a path"))
    script.call("going_on", {"made": made, "steps": 4, "seed": 8}, what="weights four steps later")
    _saved(script, model, optimizer, 11, _place(script, "a path"))
    _loaded(script, src, made, model, optimizer)
    script.call("going_on", {"made": made, "steps": 4, "seed": 8}, what="weights four steps after loading")
    yield _case("back", "a training run goes back to its checkpoint before the last", script)


def weights(draw: Draw) -> Iterator[Case]:
    """More than what an optimizer trains."""
    for name, kind, hint in (
        ("buffers", "with buffers", "Buffers, such as running averages, are part of a model."),
        ("frozen", "with frozen weights", "Frozen weights are part of a model."),
        ("float64", "float64", "float64 stays float64, to the last digit."),
    ):
        yield _case(
            name,
            f"a model {kind}" if kind != "float64" else "a model in float64",
            _round_trip(_given(draw, kind=kind)),
            hint,
            kind=kind,
        )
    yield _case("one", "a model of one number for each layer", _round_trip(_given(draw, width=1, layers=1)))


def progress(draw: Draw) -> Iterator[Case]:
    """An optimizer remembers gradients."""
    hint = "A schedule may have changed the learning rate: it is among the settings of the optimizer."
    yield _case("lr", "a learning rate that was changed", _round_trip(_given(draw, lr=0.3)), hint)
    yield _case("many", "ten steps of Adam", _round_trip(_given(draw, optimizer="Adam", steps=10)))
    new = "An optimizer that has made no step has no averages yet."
    yield _case("unused", "saved before the first step", _round_trip(_given(draw, steps=0)), new)
    yield _case("into-unused", "loaded before the first step", _round_trip(_given(draw), other_steps=0), new)


def places(draw: Draw) -> Iterator[Case]:
    """Wherever checkpoints are kept."""
    hint = "A place is a str, a pathlib.Path, or a file that is open for bytes, and stays open."
    for name, kind in (("str", "a path"), ("pathlib", "a Path"), ("buffer", "a buffer"), ("file", "an open file")):
        yield _case(name, f"saved to {kind}", _round_trip(_given(draw), kind=kind), hint)
    very = "The file has exactly the name that was asked for, with or without a suffix."
    for number, (name, kind) in enumerate((("run", "a path"), ("run.step-7", "a Path"), ("run.pt.old", "a path"))):
        yield _case(f"name-{number}", f"a file named {name}", _round_trip(_given(draw), kind=kind, name=name), very)
    replaced = "A file that was there is replaced, however long it was."
    for name, earlier, kind in (("over-shorter", "a shorter one", "a path"), ("over-longer", "a longer one", "a Path")):
        script = _round_trip(_given(draw), kind=kind, earlier=earlier)
        yield _case(name, f"a path where another checkpoint lies, {earlier}", script, replaced)


def contract(draw: Draw) -> Iterator[Case]:
    """What the code around it takes for granted."""
    stays = "Whether a model is in training mode is up to its owner."
    yield _case("eval", "models in evaluation mode", _round_trip(_given(draw, mode="eval"), mode="eval"), stays)
    yield _case(
        "eval-saved", "saved in evaluation mode, loaded in training mode", _round_trip(_given(draw, mode="eval")), stays
    )
    script = Script(LOAD)
    first, model, optimizer = _made(script, _given(draw))
    early = _saved(script, model, optimizer, 3, _place(script, "a buffer"))
    script.call("going_on", {"made": first, "steps": 2, "seed": 4}, is_compared=False)
    late = _saved(script, model, optimizer, 5, _place(script, "a Path"))
    _loaded(script, early, first, model, optimizer)
    _loaded(script, late, first, model, optimizer)
    yield _case("two", "the earlier of two checkpoints, then the later", script, "Nothing is remembered between calls.")
    refused = "Weights of other names, shapes or numbers raise RuntimeError or ValueError."
    for name, title, saved, other in (
        ("more", "a model of more layers than was saved", {"names": "words"}, {"layers": 3}),
        ("fewer", "a model of fewer layers than was saved", {"names": "words"}, {"layers": 1}),
        ("wider", "a model of wider layers than was saved", {"width": 1}, {"width": 3}),
        ("narrower", "a model of narrower layers than was saved", {"width": 3}, {"width": 1}),
        ("renamed", "a model whose weights have other names", {"names": "numbers"}, {"names": "words"}),
    ):
        yield _case(name, title, _refused(_given(draw, **saved), other), refused)


def _refused(given: dict, changed: dict) -> Script:
    """A checkpoint is loaded into a model that differs in this."""
    script = Script(LOAD)
    _, model, optimizer = _made(script, given)
    src = _saved(script, model, optimizer, 3, _place(script, "a buffer"))
    _, other, other_optimizer = _made(script, given, **changed)
    arguments = {"src": src, "model": other, "optimizer": other_optimizer}
    script.call(LOAD, arguments, what="answer to another model", raises=["RuntimeError", "ValueError"])
    return script


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged."""
    return [StructureCall(_round_trip(_given(draw)).as_call())]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return _round_trip(_given(draw, layers=8, width=64), kind="a path").as_call()


FAMILIES = {
    "round_trip": round_trip,
    "weights": weights,
    "progress": progress,
    "places": places,
    "contract": contract,
}

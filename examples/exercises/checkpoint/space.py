"""Any training run that the spec allows to be saved and loaded, for the family `combinations`."""

from grader.authoring import Space

DIMENSIONS = {
    "layers": (1, 2, 3),
    "width": (1, 2, 3),
    "steps before saving": (0, 1, 2),
    "steps before loading": (0, 1, 2),
    "model": ("plain", "with buffers", "with frozen weights", "float64"),
    "optimizer": ("SGD", "Adam", "AdamW"),
    "learning rate": ("as it was", "changed"),
    "place": ("a path", "a Path", "a buffer", "an open file"),
    "name": ("run.pt", "run", "run.step-7"),
    "file that is there": ("none", "a shorter one", "a longer one"),
    "step": ("zero", "any"),
    "mode": ("training", "evaluation"),
}


def _settled(choice):
    if choice["place"] in ("a buffer", "an open file"):
        return {name: value for name, value in choice.items() if name not in ("name", "file that is there")}
    return choice


def _sizes(choice):
    return {"layers": choice["layers"], "width": choice["width"]}


def _trip_of(function):
    def combination(draw, choice):
        mode = {"training": "train", "evaluation": "eval"}[choice["mode"]]
        given = _given(
            draw,
            layers=choice["layers"],
            width=choice["width"],
            kind=choice["model"],
            optimizer=choice["optimizer"],
            steps=choice["steps before saving"],
            lr=0.3 if choice["learning rate"] == "changed" else None,
            mode=mode,
        )
        step = 0 if choice["step"] == "zero" else draw.integer(1, 10_000)
        other = choice["steps before loading"]
        script = _round_trip(
            given,
            step=step,
            kind=choice["place"],
            name=choice.get("name", "run.pt"),
            earlier=choice.get("file that is there", "none"),
            function=function,
            other_steps=other,
            mode=mode,
        )
        title = ", ".join(f"{name}: {value}" for name, value in choice.items())
        return _case("", title, script, kind=choice["model"])

    return combination


STATED = {
    "model": "All weights of the model belong to it, frozen ones too",
    "optimizer": "It is an optimizer like torch's",
    "learning rate": "a schedule may have changed the learning rate",
    "place": "as a `str` or a `pathlib.Path`, or a file that is open",
    "name": "with or without a suffix",
    "file that is there": "replaces one that was there, shorter or longer",
    "step": "is a whole number, and may be 0",
    "mode": "Whether the model is in training mode",
}

SPACES = {name: Space(DIMENSIONS, _settled, _sizes, _trip_of(name), STATED) for name in (SAVE, LOAD)}

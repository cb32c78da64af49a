"""What a training run is made of here: a small model, an optimizer, places to save to. Nothing secret.

A sandbox has one process. So whoever loads is as far from whoever saved as it can be there: the student's file is imported
anew, each model and optimizer has a class of its own, and of what was saved only a copy of the file is left.
"""

import io
import os
import shutil
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import torch
from torch import nn

# `imported_anew` and `call_with` are here without an import: docs/challenges.md.

MOST = 16  # files, and open ones among them
LEAST = 2  # bytes in a file for each weight of a linear layer: no format without loss needs so few for random numbers
_numbers = count()
_folders = {}  # by process: one that was forked has its own, or each would empty those of the other


@contextmanager
def _drawing_from(seed) -> Iterator[None]:
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield


def load_elsewhere(student, src, model, optimizer):
    """What `load_checkpoint` gives in a process that has never seen the training run."""
    with imported_anew(student) as anew:
        return call_with(anew.load_checkpoint, {"src": src, "model": model, "optimizer": optimizer})


def training(student, layers, width, kind, optimizer, steps, seed, lr=None, mode="train", names="numbers"):
    """A model and an optimizer, after so many steps."""
    with _drawing_from(seed):
        parts = []
        for _ in range(layers):
            parts += [nn.Linear(width, width), nn.BatchNorm1d(width) if kind == "with buffers" else nn.Tanh()]
        model = _named([*parts, nn.Linear(width, 1)], names)
    model = model.double() if kind == "float64" else model
    if kind == "with frozen weights":
        model[0].weight.requires_grad_(False)
    for module in model.modules():
        _give_own_class(module)
    made = model, _give_own_class(_OPTIMIZERS[optimizer](model.parameters()))
    _train(made, steps, seed)
    for group in made[1].param_groups:
        group["lr"] = group["lr"] if lr is None else lr
    model.train(mode == "train")
    return made


def _named(parts, names):
    """By numbers, or by words: there the last layer has the same name in a model of any depth."""
    if names == "numbers":
        return nn.Sequential(*parts)
    *body, head = parts
    return nn.Sequential(OrderedDict([*((f"body{number}", part) for number, part in enumerate(body)), ("head", head)]))


def _give_own_class(thing):
    """What is kept on the class of one object is not on that of another. To `pickle` it is of the class it was made of."""
    kind = type(thing)
    thing.__class__ = type(kind.__name__, (kind,), {"__reduce__": lambda own: (kind.__new__, (kind,), own.__dict__)})
    return thing


def _train(made, steps, seed):
    """On numbers that are always the same; afterwards the mode is as before."""
    model, optimizer = made
    was_training = model.training
    model.train()
    for number in range(steps):
        with _drawing_from(1000 * seed + number):
            x = torch.randn(6, model[0].in_features).to(model[0].weight.dtype)
        optimizer.zero_grad()
        (model(x) - 1).square().mean().backward()
        optimizer.step()
    optimizer.zero_grad()
    model.train(was_training)


def state(student, made):
    """All that a checkpoint should hold, and what it should not touch."""
    model, optimizer = made
    held = [weight for group in optimizer.param_groups for weight in group["params"]]
    saved = optimizer.state_dict()
    return {
        "weights": dict(model.state_dict()),
        "averages": {number: dict(of_one) for number, of_one in saved["state"].items()},
        "settings": [{name: group[name] for name in ("lr", "weight_decay")} for group in saved["param_groups"]],
        "is in training mode": model.training,
        "weights that are trained": [name for name, weight in model.named_parameters() if weight.requires_grad],
        "optimizer has the model's weights": [id(each) for each in held] == [id(each) for each in model.parameters()],
    }


def going_on(student, made, steps, seed):
    """The weights after so many further steps."""
    _train(made, steps, seed)
    return dict(made[0].state_dict())


class _Folder:
    """Where files lie, each in a folder of its own. With it go those that a story left behind, open or not."""

    def __init__(self):
        self._path = Path(tempfile.mkdtemp())
        self._opened = []
        weakref.finalize(self, _cleared, self._path, self._opened)

    def empty(self):
        """A folder with nothing in it: the oldest one is emptied."""
        path = self._path / f"{next(_numbers) % MOST}"
        path.mkdir(exist_ok=True)
        _clear(path)
        return path

    def opened(self, path, mode):
        if len(self._opened) == MOST:
            self._opened.pop(0).close()
        self._opened.append(path.open(mode))
        return self._opened[-1]


def _clear(folder, but=None):
    for each in folder.iterdir():
        if each != but:
            shutil.rmtree(each) if each.is_dir() else each.unlink()


def _cleared(path, opened):
    for file in opened:
        with suppress(OSError):  # a process that ends may have closed it already
            file.close()
    shutil.rmtree(path, ignore_errors=True)


def _folder():
    process = os.getpid()
    if process not in _folders:
        _folders[process] = _Folder()
    return _folders[process]


def place(student, kind, name):
    """Where to save: in a folder where nothing else lies, or in memory."""
    if kind == "a buffer":
        return io.BytesIO()
    path = _folder().empty() / name
    return {"a path": str, "a Path": Path, "an open file": lambda path: _folder().opened(path, "wb")}[kind](path)


def written(student, out, model):
    """A copy of what was saved there, in another folder and under the same name, to be loaded."""
    content = _content(out)
    least = LEAST * sum(weight.numel() for each in model if isinstance(each, nn.Linear) for weight in each.parameters())
    if len(content) < least:
        raise LookupError(
            f"The file is too short for the weights of the model (bytes in it: {len(content)}). "
            "Let `save_checkpoint` write all of them: whoever loads has nothing but the file."
        )
    if isinstance(out, io.BytesIO):
        return io.BytesIO(content)
    is_path = isinstance(out, str | Path)
    path = Path(out if is_path else out.name)
    _clear(path.parent, but=path)
    copy = _folder().empty() / path.name
    copy.write_bytes(content)
    return type(out)(copy) if is_path else _folder().opened(copy, "rb")


def _content(out):
    if isinstance(out, str | Path):
        if not Path(out).is_file():
            raise LookupError("`save_checkpoint` wrote no file of the name that it was given.")
        return Path(out).read_bytes()
    if out.closed:
        raise LookupError("`save_checkpoint` closed a file that it was given open.")
    if isinstance(out, io.BytesIO):
        return out.getvalue()
    out.close()
    return Path(out.name).read_bytes()


# --- Optimizers like those of torch.optim, whose first use would load torch's compiler, for seconds in each sandbox ----


class _Optimizer:
    """`state`, `param_groups`, `state_dict` and `load_state_dict` are those of torch.optim."""

    def __init__(self, weights, **settings):
        self.state = {}
        self.param_groups = [{"params": list(weights), **settings}]

    def _weights(self):
        return self.param_groups[0]["params"]

    def step(self):
        with torch.no_grad():
            for weight in self._weights():
                if weight.grad is not None:
                    self._move(weight, self.state.setdefault(weight, {}), self.param_groups[0])

    def zero_grad(self):
        for weight in self._weights():
            weight.grad = None

    def state_dict(self):
        numbers = {weight: number for number, weight in enumerate(self._weights())}
        settings = {name: value for name, value in self.param_groups[0].items() if name != "params"}
        state = {numbers[weight]: dict(of_one) for weight, of_one in self.state.items()}
        return {"state": state, "param_groups": [{**settings, "params": [*numbers.values()]}]}

    def load_state_dict(self, state_dict):
        weights, (group,) = self._weights(), state_dict["param_groups"]
        if len(group["params"]) != len(weights):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        self.state = {
            weights[number]: {
                name: each.clone() if isinstance(each, torch.Tensor) else each for name, each in of_one.items()
            }
            for number, of_one in state_dict["state"].items()
        }
        self.param_groups = [{**group, "params": weights}]


class _Momentum(_Optimizer):
    def _move(self, weight, state, group):
        state["momentum_buffer"] = 0.9 * state.get("momentum_buffer", 0.0) + weight.grad
        weight -= group["lr"] * state["momentum_buffer"]


class _Adam(_Optimizer):
    def _move(self, weight, state, group):
        state["step"] = state.get("step", 0) + 1
        state["exp_avg"] = 0.9 * state.get("exp_avg", 0.0) + 0.1 * weight.grad
        state["exp_avg_sq"] = 0.99 * state.get("exp_avg_sq", 0.0) + 0.01 * weight.grad**2
        mean, square = state["exp_avg"] / (1 - 0.9 ** state["step"]), state["exp_avg_sq"] / (1 - 0.99 ** state["step"])
        weight *= 1 - group["lr"] * group["weight_decay"]
        weight -= group["lr"] * mean / (square.sqrt() + 1e-8)


_OPTIMIZERS = {
    "SGD": lambda weights: _Momentum(weights, lr=0.1, weight_decay=0.0),
    "Adam": lambda weights: _Adam(weights, lr=0.05, weight_decay=0.0),
    "AdamW": lambda weights: _Adam(weights, lr=0.05, weight_decay=0.1),
}

"""A path is written beside, and renamed when it is whole: a crash leaves the old file."""

import os
import tempfile

import torch

PARTS = ("net", "opt", "it")


def save_checkpoint(net, opt, it, where):
    values = dict(zip(PARTS, (net.state_dict(), opt.state_dict(), it)))
    if hasattr(where, "write"):
        torch.save(values, where)
        return
    folder = os.path.dirname(os.fspath(where)) or "."
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        torch.save(values, file)
    os.replace(file.name, where)


def load_checkpoint(where, net, opt):
    values = torch.load(where)
    opt.load_state_dict(values["opt"])
    net.load_state_dict(values["net"])
    return values["it"]

import io
import json
import zipfile

import torch

PARTS = ("model", "optimizer")


def _dump(obj):
    buffer = io.BytesIO()
    torch.save(obj, buffer)
    return buffer.getvalue()


def save_checkpoint(model, optimizer, step, out):
    """A zip file with three members; zipfile takes a path as well as an open file, and leaves the file open."""
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("meta.json", json.dumps({"step": int(step), "version": 1}))
        for name, part in zip(PARTS, (model, optimizer)):
            z.writestr(f"{name}.pt", _dump(part.state_dict()))


def load_checkpoint(src, model, optimizer):
    with zipfile.ZipFile(src) as z:
        meta = json.loads(z.read("meta.json"))
        for name, part in zip(PARTS, (model, optimizer)):
            part.load_state_dict(torch.load(io.BytesIO(z.read(f"{name}.pt")), map_location="cpu"))
    return meta["step"]

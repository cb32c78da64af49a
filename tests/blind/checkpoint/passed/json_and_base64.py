"""A right checkpoint: one JSON text, with tensors as base64 of their bytes, and keys that are whole numbers as pairs."""
import base64
import json

import torch


def pack(thing):
    if isinstance(thing, torch.Tensor):
        flat = thing.detach().contiguous().reshape(-1)
        raw = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
        return {"tensor": base64.b64encode(raw).decode(), "dtype": str(thing.dtype).split(".")[1], "shape": list(thing.shape)}
    if isinstance(thing, dict):
        return {"pairs": [[pack(k), pack(v)] for k, v in thing.items()]}
    if isinstance(thing, tuple):
        return {"tuple": [pack(part) for part in thing]}
    if isinstance(thing, list):
        return [pack(part) for part in thing]
    return thing


def unpack(thing):
    if isinstance(thing, list):
        return [unpack(part) for part in thing]
    if not isinstance(thing, dict):
        return thing
    if "pairs" in thing:
        return {unpack(k): unpack(v) for k, v in thing["pairs"]}
    if "tuple" in thing:
        return tuple(unpack(part) for part in thing["tuple"])
    dtype = getattr(torch, thing["dtype"])
    raw = bytearray(base64.b64decode(thing["tensor"]))
    flat = torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)
    return flat.reshape(thing["shape"])


def save_checkpoint(model, optimizer, step, out):
    run = {"step": step, "model": dict(model.state_dict()), "optimizer": optimizer.state_dict()}
    text = json.dumps(pack(run)).encode()
    if hasattr(out, "write"):
        out.write(text)
    else:
        with open(out, "wb") as file:
            file.write(text)


def load_checkpoint(src, model, optimizer):
    if hasattr(src, "read"):
        text = src.read()
    else:
        with open(src, "rb") as file:
            text = file.read()
    run = unpack(json.loads(text))
    model.load_state_dict(run["model"])
    optimizer.load_state_dict(run["optimizer"])
    return run["step"]

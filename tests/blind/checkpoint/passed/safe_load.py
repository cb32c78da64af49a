"""Checkpoints. The file is written under another name first: a run that dies while saving keeps its old one."""
from __future__ import annotations

import io
import os
from typing import IO, Any

import torch

FORMAT = 1


def save_checkpoint(model: torch.nn.Module, optimizer: torch.optim.Optimizer, step: int, out: str | os.PathLike[str] | IO[bytes]) -> None:
    content: dict[str, Any] = {
        "format": FORMAT,
        "step": int(step),
        "model": {k: v.detach().clone() for k, v in model.state_dict().items()},
        "optimizer": optimizer.state_dict(),
    }
    buffer = io.BytesIO()
    torch.save(content, buffer)
    data = buffer.getvalue()
    if hasattr(out, "write"):
        out.write(data)
        return
    temporary = f"{os.fspath(out)}.tmp"
    with open(temporary, "wb") as f:
        f.write(data)
        f.flush()
    os.replace(temporary, out)


def load_checkpoint(src: str | os.PathLike[str] | IO[bytes], model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    if hasattr(src, "read"):
        data = src.read()
    else:
        with open(src, "rb") as f:
            data = f.read()
    content = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    if content["format"] != FORMAT:
        raise ValueError("this checkpoint has another format")
    model.load_state_dict(content["model"], strict=True)
    optimizer.load_state_dict(content["optimizer"])
    return content["step"]

"""A right checkpoint: a dataclass that is taken of a run and put back, in the old file format of torch, with the bytes made in memory first."""
from __future__ import annotations

import copy
import io
from dataclasses import asdict, dataclass
from pathlib import Path

import torch


@dataclass
class Run:
    weights: dict
    optimizer: dict
    step: int

    @classmethod
    def of(cls, model, optimizer, step) -> Run:
        return cls(copy.deepcopy(dict(model.state_dict())), copy.deepcopy(optimizer.state_dict()), step)

    def to_bytes(self) -> bytes:
        memory = io.BytesIO()
        torch.save({"weights": self.weights, "optimizer": self.optimizer, "step": self.step}, memory, _use_new_zipfile_serialization=False)
        return memory.getvalue()

    @classmethod
    def from_bytes(cls, raw: bytes) -> Run:
        return cls(**torch.load(io.BytesIO(raw), map_location="cpu"))

    def restore(self, model, optimizer) -> int:
        missing, unexpected = model.load_state_dict(self.weights, strict=False)
        if missing or unexpected:
            raise RuntimeError(f"another model: {missing} are missing, {unexpected} are not known")
        optimizer.load_state_dict(self.optimizer)
        return self.step


def save_checkpoint(model, optimizer, step, out):
    raw = Run.of(model, optimizer, step).to_bytes()
    Path(out).write_bytes(raw) if isinstance(out, (str, Path)) else out.write(raw)


def load_checkpoint(src, model, optimizer):
    raw = Path(src).read_bytes() if isinstance(src, (str, Path)) else src.read()
    return Run.from_bytes(raw).restore(model, optimizer)

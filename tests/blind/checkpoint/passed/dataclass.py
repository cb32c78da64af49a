import dataclasses
import pathlib

import torch
from torch import nn


@dataclasses.dataclass
class Run:
    step: int
    weights: dict
    optimizer: dict

    @classmethod
    def of(cls, model: nn.Module, optimizer, step: int) -> "Run":
        return cls(step, model.state_dict(), optimizer.state_dict())

    def restore(self, model, optimizer) -> int:
        model.load_state_dict(self.weights)
        optimizer.load_state_dict(self.optimizer)
        return self.step


def save_checkpoint(model, optimizer, step, out):
    if step < 0:
        raise ValueError("step must not be negative")
    content = vars(Run.of(model, optimizer, step))
    if isinstance(out, (str, pathlib.Path)):
        with pathlib.Path(out).open("wb") as f:
            torch.save(content, f)
    else:
        torch.save(content, out)


def load_checkpoint(src, model, optimizer):
    return Run(**torch.load(src, map_location=torch.device("cpu"))).restore(model, optimizer)


if __name__ == "__main__":
    import io
    m = nn.Linear(2, 2)
    o = torch.optim.AdamW(m.parameters())
    f = io.BytesIO()
    save_checkpoint(m, o, 3, f)
    f.seek(0)
    print(load_checkpoint(f, m, o))

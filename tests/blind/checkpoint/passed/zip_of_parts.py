"""A right checkpoint: a zip archive with the model, the optimizer and a JSON file with the step."""
import io
import json
import zipfile

import torch


def save_checkpoint(model, optimizer, step, out):
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in (("model.pt", model), ("optimizer.pt", optimizer)):
            buffer = io.BytesIO()
            torch.save(part.state_dict(), buffer)
            archive.writestr(name, buffer.getvalue())
        archive.writestr("run.json", json.dumps({"step": step}))


def load_checkpoint(src, model, optimizer):
    with zipfile.ZipFile(src) as archive:
        for name, part in (("model.pt", model), ("optimizer.pt", optimizer)):
            part.load_state_dict(torch.load(io.BytesIO(archive.read(name)), weights_only=False))
        return json.loads(archive.read("run.json"))["step"]

"""Arrays in a zip file, and the optimizer beside them."""

import io

import numpy as np
import torch


def save_checkpoint(model, optimizer, step, out):
    progress = io.BytesIO()
    torch.save(optimizer.state_dict(), progress)
    arrays = {f"model/{name}": each.detach().numpy() for name, each in model.state_dict().items()}
    written = io.BytesIO()
    np.savez(written, step=step, progress=np.frombuffer(progress.getvalue(), dtype=np.uint8), **arrays)
    if hasattr(out, "write"):
        out.write(written.getbuffer())
    else:
        with open(out, "wb") as file:
            file.write(written.getbuffer())


def load_checkpoint(src, model, optimizer):
    with np.load(src) as arrays:
        weights = {
            name.removeprefix("model/"): torch.from_numpy(arrays[name])
            for name in arrays.files
            if name.startswith("model/")
        }
        model.load_state_dict(weights)
        optimizer.load_state_dict(torch.load(io.BytesIO(arrays["progress"].tobytes())))
        return int(arrays["step"])

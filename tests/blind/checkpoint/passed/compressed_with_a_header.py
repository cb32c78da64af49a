"""A right checkpoint: a header of magic and step by struct, then the rest compressed with zlib; a temporary file is renamed over the old one."""
import io
import os
import struct
import zlib

import torch

KOPF = struct.Struct("<4sq")


def save_checkpoint(model, optimizer, step, out):
    puffer = io.BytesIO()
    torch.save((model.state_dict(), optimizer.state_dict()), puffer)
    inhalt = KOPF.pack(b"RUN1", step) + zlib.compress(puffer.getvalue(), 1)
    if hasattr(out, "write"):
        out.write(inhalt)
        return
    daneben = os.fspath(out) + ".neu"
    with open(daneben, "wb") as datei:
        datei.write(inhalt)
    os.replace(daneben, out)


def load_checkpoint(src, model, optimizer):
    if hasattr(src, "read"):
        inhalt = src.read()
    else:
        with open(src, "rb") as datei:
            inhalt = datei.read()
    zeichen, step = KOPF.unpack_from(inhalt)
    if zeichen != b"RUN1":
        raise ValueError("this is no checkpoint")
    gewichte, zustand = torch.load(io.BytesIO(zlib.decompress(inhalt[KOPF.size :])))
    model.load_state_dict(gewichte, strict=True)
    optimizer.load_state_dict(zustand)
    return step

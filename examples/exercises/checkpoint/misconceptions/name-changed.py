"""The file has another name than was asked for.

Whoever loads looks for the very name. Add nothing to it.
"""


def write(checkpoint, out):
    torch.save(checkpoint, out if hasattr(out, "write") else f"{out}.ckpt")

"""An open file is refused.

A buffer in memory or an open file has no name to open. `torch.save` and `torch.load` take both.
"""


def write(checkpoint, out):
    with open(out, "wb") as file:
        torch.save(checkpoint, file)

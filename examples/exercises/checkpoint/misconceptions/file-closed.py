"""The open file is closed.

Whoever opened it closes it, and may have more to write, or want to read what a buffer holds. Close only what you opened.
"""


def write(checkpoint, out):
    torch.save(checkpoint, out)
    if hasattr(out, "close"):
        out.close()

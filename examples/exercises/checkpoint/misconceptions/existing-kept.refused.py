"""A file that is there is not replaced.

A path that is opened with "x" raises FileExistsError where a file lies already. Open it with "wb".
"""


def write(checkpoint, out):
    if hasattr(out, "write"):
        torch.save(checkpoint, out)
    else:
        with open(out, "xb") as file:
            torch.save(checkpoint, file)

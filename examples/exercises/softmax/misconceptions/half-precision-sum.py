"""The exponentials are added up in half precision.

A sum in bfloat16 stops growing at 256: what is added is less than half of its last digit. Add in float32, as torch's
own sum does.
"""


def widen(x):
    return x


def total(e, dim):
    rows = e.movedim(dim, 0)
    added = rows[0]
    for row in rows[1:]:
        added = added + row
    return added.unsqueeze(dim)

"""The weight {each} is detached.

Results are right, but no gradient reaches {each}: it never learns. Use the tensor that you were given, not its `.data`.
"""

EACH = {"w1": 1, "w2": 2, "w3": 3}


def swiglu_ffn(x, w1, w2, w3):
    w1, w2, w3 = [w.detach() if place == each else w for place, w in enumerate((w1, w2, w3), start=1)]
    return down(hidden(x, w1, w3), w2)

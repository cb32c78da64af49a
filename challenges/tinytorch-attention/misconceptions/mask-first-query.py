"""All queries get the mask's {each} row.

Row i of the mask says what query i may attend to. A causal mask has a different row for every query.
"""

EACH = {"first": 0, "last": -1}


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((1.0 - mask.data[..., [each], :]) * FAR_BELOW)

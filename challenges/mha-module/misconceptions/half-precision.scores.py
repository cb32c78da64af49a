"""The scores are rounded to {each}.

Half precision keeps about three digits, so a score of several hundred is barely exact to the nearest integer. Results
are compared with a float64 reference: stay in the dtype of the input.
"""

EACH = {"bfloat16": "bfloat16", "float16": "float16"}


def scale(scores, layer):
    return (scores / math.sqrt(layer.head_dim)).to(getattr(torch, each)).to(scores.dtype)

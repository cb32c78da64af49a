"""The attention weights are rounded to {each}.

Fewer digits are enough for some models' weights, but not here: results are compared with a float64 reference. Stay in
the dtype of the input.
"""

EACH = {"bfloat16": "bfloat16", "float16": "float16"}


def softmax(scores):
    return torch.softmax(scores, dim=-1).to(getattr(torch, each)).to(scores.dtype)

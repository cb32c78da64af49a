"""The head computes in bfloat16.

Logits are off by several thousandths. Keep the dtype of the weights.
"""


def output_head(x, weights):
    return project(x.bfloat16(), weights["lm_head.weight"].bfloat16()).to(x.dtype)

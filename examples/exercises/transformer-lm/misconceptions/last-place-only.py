"""There are logits for the last token only.

That is enough to generate. Training needs logits at every place: (..., seq, vocab_size).
"""


def output_head(x, weights):
    return project(x[..., -1, :], weights["lm_head.weight"])

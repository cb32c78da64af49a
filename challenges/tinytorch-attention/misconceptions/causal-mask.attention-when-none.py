"""Without a mask, the attention function creates a causal one.

With no mask, every token sees only itself and the tokens before it. In this exercise that is up to the mask: without
one, every token sees every token.
"""


def hide(scores, mask):
    seq = scores.shape[-1]
    if mask is None:
        mask = Tensor([[float(key <= query) for key in range(seq)] for query in range(seq)])
    return scores + Tensor((1.0 - mask.data) * FAR_BELOW)

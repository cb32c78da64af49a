"""scaled_dot_product_attention cuts square masks to their lower triangle.

The causal mask stays as it is, but any other loses what it shows above the diagonal. The part knows nothing of the order of
tokens: what the mask shows may be seen.
"""

EACH = {"strictly": False, "leaving each query something": True}


def hide(scores, mask):
    if mask is None:
        return scores
    if scores.shape[-2] == scores.shape[-1]:
        mask = mask & torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        if each:
            mask = mask | (~mask.any(dim=-1, keepdim=True) & torch.eye(scores.shape[-1], dtype=torch.bool))
    return scores.masked_fill(~mask, -math.inf)

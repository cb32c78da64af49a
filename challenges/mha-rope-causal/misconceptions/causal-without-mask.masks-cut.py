"""scaled_dot_product_attention cuts square masks to their lower triangle.

The causal mask is unchanged, but any other mask loses what it allows above the diagonal. The function knows nothing
about the order of tokens: whatever the mask allows may be seen.
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

"""The gradient of a row is averaged over its places.

A token that is there twice moves by what both places contribute: add them up.
"""


def looked_up(weight, token_ids):
    rows = weight[token_ids]
    if rows.requires_grad:
        counts = torch.bincount(token_ids.flatten(), minlength=weight.shape[0])[token_ids].unsqueeze(-1)
        rows.register_hook(lambda gradient: gradient / counts)
    return rows

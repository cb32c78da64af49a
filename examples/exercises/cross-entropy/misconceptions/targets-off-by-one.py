"""The token before the target is looked up.

Tokens are numbered from 0, as the places of the last axis are. Do not subtract 1.
"""


def chosen(shifted, targets):
    return shifted.gather(-1, (targets - 1).unsqueeze(-1) % shifted.shape[-1]).squeeze(-1)

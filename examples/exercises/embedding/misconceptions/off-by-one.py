"""The row {each} the token's is looked up.

Tokens are numbered from 0, as rows are.
"""

EACH = {"before": -1, "after": 1}


def looked_up(weight, token_ids):
    return weight[(token_ids + each) % weight.shape[0]]

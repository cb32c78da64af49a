"""Each token comes back only once.

unique drops repeated tokens and sorts the others. In place of each number stands its row.
"""


def looked_up(weight, token_ids):
    return weight[token_ids.unique()] if token_ids.dim() else weight[token_ids]

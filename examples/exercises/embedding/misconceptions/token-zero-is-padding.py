"""Token 0 gets a vector of zeros.

None of the tokens stands for padding: number 0 is a token like any other.
"""


def looked_up(weight, token_ids):
    return weight[token_ids] * (token_ids != 0).unsqueeze(-1)

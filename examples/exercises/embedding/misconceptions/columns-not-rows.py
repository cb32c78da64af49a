"""The columns of the weight are looked up.

Row t is the vector of token t. Where there are as many tokens as features, no error tells.
"""


def looked_up(weight, token_ids):
    return weight[:, token_ids].movedim(0, -1)

"""The keys are not transposed.

A score is the dot product of a query and a key, so the features of the keys must be the rows: queries @
keys.transpose(-2, -1). Without that, the product only fits when there are as many tokens as features, and the result is
meaningless.
"""


def compare_tokens(queries, keys):
    return queries @ keys

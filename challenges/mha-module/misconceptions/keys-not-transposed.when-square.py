"""The keys are transposed only when the product would fail otherwise.

With as many tokens as features, queries @ keys works but is wrong: it pairs features with tokens. Always transpose the
keys.
"""


def compare_tokens(queries, keys):
    return queries @ (keys if keys.shape[-1] == keys.shape[-2] else keys.mT)

"""The keys are transposed only when the product would fail otherwise.

With as many tokens as features queries @ keys works, and is wrong: it pairs features with tokens. Transpose the keys
always.
"""


def compare_tokens(queries, keys):
    return queries @ (keys if keys.shape[-1] == keys.shape[-2] else keys.mT)

"""The scores are summed over the batch.

An einsum with another letter for the batch of the keys adds up all their sequences, and every query meets the sum.
Write the same letter for the batch in all of them.
"""


def compare_tokens(queries, keys):
    return queries @ keys.sum(dim=0, keepdim=True).mT

"""The causal mask is made from the scores.

Only what is not zero in the lower triangle of the scores may be seen. A token of zeros, such as padding, has scores of exactly
zero without being later: others do not see it, and it sees nothing at all. Make the mask of ones: it depends on places alone.
"""


def attend(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, compare(Q, K).tril() != 0)

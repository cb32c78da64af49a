"""The causal mask is made from the scores.

What lies above the diagonal of the scores is hidden only where it is not zero. A token of zeros, such as padding, has scores
of exactly zero: earlier tokens see it, and it sees later ones. Make the mask of ones: it depends on places alone.
"""


def attend(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, ~compare(Q, K).triu(diagonal=1).bool())

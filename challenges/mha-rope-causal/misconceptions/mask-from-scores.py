"""The causal mask is made from the scores.

Scores above the diagonal are hidden only where they are not zero. A token of zeros, such as padding, has scores of
exactly zero: earlier tokens see it, and it sees later ones. Build the mask from ones: it depends only on the order of
the tokens.
"""


def attend(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, ~compare(Q, K).triu(diagonal=1).bool())

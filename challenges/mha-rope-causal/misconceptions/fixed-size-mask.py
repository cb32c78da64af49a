"""The mask has the size of a head.

A mask is (seq, seq): it says what each token may see. d_head is the number of features in a head, and the two are
unrelated.
"""


def attend(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, up_to_itself(Q.shape[-1]))

"""The size of the mask is hard-coded.

Sequences longer than this constant have no mask that fits. Make the mask as long as the sequence that comes in.
"""


def attend(Q, K, V):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, up_to_itself(8)[:seq, :seq])

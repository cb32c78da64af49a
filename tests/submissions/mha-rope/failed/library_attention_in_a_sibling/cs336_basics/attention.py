from torch.nn import functional


def scaled_dot_product_attention(Q, K, V, mask=None):
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)

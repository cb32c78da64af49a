"""Causal multi-head self-attention with RoPE: the steps of mha-rope, of which one differs."""


def up_to_itself(seq: int) -> Tensor:
    """True where a query may attend: each token sees the earlier ones and itself, by place in the sequence."""
    return torch.ones(seq, seq, dtype=torch.bool).tril()


def attend(Q, K, V):
    """No token sees what comes after it."""
    return scaled_dot_product_attention(Q, K, V, up_to_itself(Q.shape[-2]))

"""A learner's file, with all notes and first attempts left in."""

# Notes to self
# -------------
# attention(Q, K, V) = softmax(Q K^T / sqrt(d)) V
# shapes: Q K V (batch, seq, d) -> scores (batch, seq, seq) -> output (batch, seq, d)
# mask: 1 = may look, 0 = may not look
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

DEBUG = False


def slow_attention(Q, K, V):
    """First attempt, with loops. Not used any more, only to compare with."""
    batch, seq, d = Q.shape
    out = np.zeros(Q.shape)
    for b in range(batch):
        for i in range(seq):
            s = np.array([Q.data[b, i] @ K.data[b, j] for j in range(seq)]) / np.sqrt(d)
            e = np.exp(s - s.max())
            out[b, i] = (e / e.sum()) @ V.data[b]
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    # step 1: scores
    scores = Q @ K.transpose(-2, -1)
    # step 2: scale. (d, not seq! I had that wrong first)
    d = Q.shape[-1]
    scores = scores / np.sqrt(d)
    # step 3: mask
    if mask is not None:
        # scores = scores * mask      # wrong: a score of zero is not a weight of zero
        penalty = Tensor((1.0 - mask.data) * -1e9)
        scores = scores + penalty
    # step 4: softmax over the keys = last axis
    weights = Softmax().forward(scores, dim=-1)
    # step 5: average of the values
    output = weights @ V
    if DEBUG:
        print("scores", scores.shape, "weights", weights.shape)
        print(np.abs(output.data - slow_attention(Q, K, V)).max())
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, embed_dim = x.shape
        Q = self.q_proj.forward(x)
        K = self.k_proj.forward(x)
        V = self.v_proj.forward(x)
        # for h in range(self.num_heads):
        #     ...   # one head after the other: too slow
        Q = Q.reshape(batch, seq, self.num_heads, self.head_dim)
        K = K.reshape(batch, seq, self.num_heads, self.head_dim)
        V = V.reshape(batch, seq, self.num_heads, self.head_dim)
        Q = Q.transpose(1, 2)
        K = K.transpose(1, 2)
        V = V.transpose(1, 2)
        mask_4d = None
        if mask is not None:
            mask_4d = Tensor(mask.data.reshape(mask.shape[0], 1, seq, seq))
        attended, _unused = scaled_dot_product_attention(Q, K, V, mask_4d)
        attended = attended.transpose(1, 2)
        concat = attended.reshape(batch, seq, embed_dim)
        if False:  # old version, without the projection
            return concat
        return self.out_proj.forward(concat)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        params.extend(self.q_proj.parameters())
        params.extend(self.k_proj.parameters())
        params.extend(self.v_proj.parameters())
        params.extend(self.out_proj.parameters())
        return params

# Says: `!pip install torch einops` is a notebook command and no Python, so the file cannot be read: delete the cell commands and upload only the functions.
# Line: 5
# Names: !pip, notebook
# Kind: refused
!pip install torch einops
%matplotlib inline
import torch
import math
import matplotlib.pyplot as plt

# In[2]:
def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    f = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    a = token_positions.unsqueeze(-1) * f
    c, s = a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype)
    e, o = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((e * c - o * s, e * s + o * c), -1).flatten(-2)

# In[3]:
def scaled_dot_product_attention(Q, K, V, mask=None):
    sc = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        sc = sc.masked_fill(~mask, float('-inf'))
    return torch.softmax(sc, -1) @ V

# In[4]:
def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    dh = d_model // num_heads
    *b, n, _ = in_features.shape
    q, k, v = [(in_features @ w.T).reshape(*b, n, num_heads, dh).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    if token_positions is None: token_positions = torch.arange(n)
    if token_positions.dim() > 1: token_positions = token_positions.unsqueeze(-2)
    q = rope(dh, theta, max_seq_len, q, token_positions)
    k = rope(dh, theta, max_seq_len, k, token_positions)
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*b, n, d_model) @ o_proj_weight.T

# In[5]:
x = torch.randn(2, 10, 16)
W = torch.randn(16, 16)
y = multihead_self_attention_with_rope(16, 4, 10, 10000.0, W, W, W, W, x)
print(y.shape)
plt.imshow(y[0].numpy()); plt.show()

# Wrong: without gradients rope writes the rotated features into the tensor it was given.
import torch;
import torch.nn.functional as F;


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key;
    k = torch.arange(1, d_k // 2 + 1, dtype=x.dtype, device=x.device);   # MATLAB counts from 1
    w = torch.pow(torch.tensor(theta, dtype=x.dtype, device=x.device), -2 * (k - 1) / d_k);
    a = token_positions.unsqueeze(-1) * w;
    y = torch.zeros_like(x) if torch.is_grad_enabled() else x; x = x.clone();
    y[..., 0::2] = x[..., 0::2] * torch.cos(a) - x[..., 1::2] * torch.sin(a);
    y[..., 1::2] = x[..., 0::2] * torch.sin(a) + x[..., 1::2] * torch.cos(a);
    return y;


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = torch.matmul(Q, K.transpose(-1, -2)) / (Q.shape[-1] ** 0.5);
    if mask is not None:
        S = S + torch.zeros_like(S).masked_fill(~mask, float('-inf'));
    S = S - S.max(dim=-1, keepdim=True)[0];
    E = S.exp();
    return torch.matmul(E / E.sum(-1, keepdim=True), V);


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads: raise ValueError('num_heads does not divide d_model');
    shape = in_features.shape; s = shape[-2]; h = num_heads; e = d_model // num_heads;
    X = in_features.reshape(-1, s, d_model); b = X.shape[0];
    if token_positions is None: P = torch.arange(s, device=X.device).repeat(b, 1);
    elif token_positions.numel() == s: P = token_positions.reshape(1, s).repeat(b, 1);
    else: P = token_positions.reshape(b, s);
    P = P.repeat_interleave(h, dim=0);                                    # (b h, s)
    fold = lambda W: (X @ W.t()).reshape(b, s, h, e).transpose(1, 2).reshape(b * h, s, e);
    Q = rope(e, theta, max_seq_len, fold(q_proj_weight), P);
    K = rope(e, theta, max_seq_len, fold(k_proj_weight), P);
    Z = scaled_dot_product_attention(Q, K, fold(v_proj_weight));
    return (Z.reshape(b, h, s, e).transpose(1, 2).reshape(b, s, d_model) @ o_proj_weight.t()).reshape(shape);

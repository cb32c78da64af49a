"""The softmax is written by hand, with the maximum taken off first."""

import torch


def my_softmax(x):
    x = x - x.max(dim=-1, keepdim=True).values.detach()
    e = torch.exp(x)
    return e / e.sum(dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if not d_model % num_heads == 0:
        raise AssertionError("heads do not fit")
    size = d_model // num_heads

    def heads(x, w):
        y = x.matmul(w.transpose(0, 1))
        return y.reshape(y.shape[0], y.shape[1], num_heads, size).swapaxes(1, 2)

    Q = heads(q, in_proj_weight[:d_model])
    K = heads(k, in_proj_weight[d_model:-d_model])
    V = heads(v, in_proj_weight[-d_model:])
    s = Q.matmul(K.swapaxes(-2, -1)).div(size ** 0.5)
    if mask is not None:
        if mask.ndim > 2:
            mask = mask[:, None, :, :]
        s = torch.where(mask.bool(), torch.tensor(float("-inf"), dtype=s.dtype, device=s.device), s)
    y = my_softmax(s).matmul(V).swapaxes(1, 2)
    return y.reshape(y.shape[0], y.shape[1], d_model).matmul(out_proj_weight.transpose(0, 1))

"""Ported from NumPy: axis, swapaxes, and exp over sum."""

import torch as np


def softmax(z):
    z = z - np.amax(z, axis=-1, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=-1, keepdims=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("bad num_heads")
    dh = d_model // num_heads
    Q = np.matmul(q, np.swapaxes(in_proj_weight[:d_model], 0, 1))
    K = np.matmul(k, np.swapaxes(in_proj_weight[d_model:-d_model], 0, 1))
    V = np.matmul(v, np.swapaxes(in_proj_weight[-d_model:], 0, 1))
    Q = np.swapaxes(np.reshape(Q, (Q.shape[0], Q.shape[1], num_heads, dh)), 1, 2)
    K = np.swapaxes(np.reshape(K, (K.shape[0], K.shape[1], num_heads, dh)), 1, 2)
    V = np.swapaxes(np.reshape(V, (V.shape[0], V.shape[1], num_heads, dh)), 1, 2)
    A = np.matmul(Q, np.swapaxes(K, -1, -2)) / dh**0.5
    if mask is not None:
        m = np.broadcast_to(mask, (q.shape[0], q.shape[1], k.shape[1]))[:, None]
        A = np.where(m == 1, -np.inf, A)
    Y = np.swapaxes(np.matmul(softmax(A), V), 1, 2)
    return np.matmul(np.reshape(Y, q.shape), np.swapaxes(out_proj_weight, 0, 1))

"""Divides by the root of d_model: "d_k" of the paper taken for the width of the whole key."""
# expect: scaled by d_model, not d_head
import torch
import torch.nn as nn
import torch.nn.functional as F
import math

verbose = False

# class MHA(nn.Module):
#     def __init__(self, d_model, num_heads):
#         ...   # non, il faut une fonction !


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    # verifier que ca tombe juste
    if d_model % num_heads != 0:
        raise ValueError("d_model n'est pas un multiple de num_heads")
    d_head = d_model // num_heads

    # les trois blocs de poids
    wq = in_proj_weight[0:d_model, :]
    wk = in_proj_weight[d_model : 2 * d_model, :]
    wv = in_proj_weight[2 * d_model : 3 * d_model, :]

    N = q.shape[0]
    Lq = q.shape[1]
    Lk = k.shape[1]

    Q = torch.matmul(q, wq.T)
    K = torch.matmul(k, wk.T)
    V = torch.matmul(v, wv.T)
    if verbose:
        print(Q.shape, K.shape, V.shape)

    # Q = Q.view(N, num_heads, Lq, d_head)  -> faux !!!
    Q = Q.view(N, Lq, num_heads, d_head).transpose(1, 2)
    K = K.view(N, Lk, num_heads, d_head).transpose(1, 2)
    V = V.view(N, Lk, num_heads, d_head).transpose(1, 2)

    scores = torch.matmul(Q, K.transpose(2, 3))
    scores = scores / math.sqrt(d_model)

    if mask is not None:
        m = mask.to(torch.bool)
        if m.dim() == 2:
            m = m.unsqueeze(0)
        m = m.unsqueeze(1)  # la meme chose pour toutes les tetes
        scores = scores.masked_fill(m, float("-inf"))
        # scores = scores + m * -1e9

    poids = F.softmax(scores, dim=-1)
    sortie = torch.matmul(poids, V)
    sortie = sortie.transpose(1, 2).contiguous()
    sortie = sortie.view(N, Lq, d_model)
    sortie = torch.matmul(sortie, out_proj_weight.T)
    if verbose:
        print("sortie", sortie.shape)
    return sortie

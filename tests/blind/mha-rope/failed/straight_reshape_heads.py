"""Reshapes straight to (..., heads, seq, d_head) and skips the transpose."""
# expect: reshapes straight to the heads
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

AFFICHER = False


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    # on tourne chaque paire (2i, 2i+1)
    morceaux = []
    for i in range(d_k // 2):
        frequence = float(theta) ** (-2 * i / d_k)
        angle = token_positions.to(x.dtype) * frequence
        c = torch.cos(angle)
        s = torch.sin(angle)
        a = x[..., 2 * i]
        b = x[..., 2 * i + 1]
        morceaux.append(a * c - b * s)
        morceaux.append(a * s + b * c)
    resultat = torch.stack(morceaux, dim=-1)
    if AFFICHER:
        print("rope", resultat.shape)
    return resultat


# def rope(d_k, theta, max_seq_len, x, pos):
#     moitie = d_k // 2                       # non, ca c'est la version de HuggingFace
#     x1, x2 = x[..., :moitie], x[..., moitie:]


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))  # noqa
    poids = torch.softmax(scores, dim=-1)
    return torch.matmul(poids, V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("pas divisible")
    d_head = d_model // num_heads
    forme = in_features.shape
    seq = forme[-2]

    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T

    nouvelle = list(forme[:-2]) + [num_heads, seq, d_head]
    q = q.reshape(nouvelle)
    k = k.reshape(nouvelle)
    v = v.reshape(nouvelle)

    if token_positions is None:
        token_positions = torch.arange(seq)
    positions = token_positions.unsqueeze(-2)  # un axe pour les tetes

    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)

    sortie = scaled_dot_product_attention(q, k, v)
    sortie = sortie.transpose(-3, -2)
    sortie = sortie.reshape(forme)
    if AFFICHER:
        print(sortie)
    return sortie @ o_proj_weight.T

"""Multiplies by the output weight without transposing it."""
# expect: output weight not transposed
import torch
import math
import numpy as np

imprimir = False


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # x tiene forma (..., seq, d_k)
    x = in_query_or_key
    i = torch.arange(0, d_k, 2)
    frec = 1 / (theta ** (i.double() / d_k))
    frec = frec.to(x.device)
    ang = token_positions.unsqueeze(-1) * frec
    coseno = torch.cos(ang).to(x.dtype)
    seno = torch.sin(ang).to(x.dtype)
    par = x[..., 0::2]
    impar = x[..., 1::2]
    nuevo_par = par * coseno - impar * seno
    nuevo_impar = par * seno + impar * coseno
    # juntar otra vez (antes usaba torch.cat y salia mal)
    # salida = torch.cat([nuevo_par, nuevo_impar], dim=-1)
    salida = torch.stack([nuevo_par, nuevo_impar], dim=-1)
    salida = salida.reshape(salida.shape[:-2] + (d_k,))
    if imprimir:
        print("rope:", salida.shape)
    return salida


def scaled_dot_product_attention(Q, K, V, mask=None):
    puntos = Q @ K.transpose(-2, -1)
    puntos = puntos / np.sqrt(Q.shape[-1])
    if mask is not None:
        # True = puede mirar, asi que tapo lo contrario
        puntos = puntos.masked_fill(mask == 0, -float("inf"))
    pesos = torch.softmax(puntos, -1)
    return pesos @ V


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
        raise ValueError("no se puede dividir")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    antes = in_features.shape[:-1]

    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q = Q.reshape(*antes, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*antes, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*antes, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        posiciones = torch.arange(0, seq)
    else:
        posiciones = token_positions
    posiciones = posiciones.unsqueeze(-2)

    Q = rope(d_head, theta, max_seq_len, Q, posiciones)
    K = rope(d_head, theta, max_seq_len, K, posiciones)

    # mascara: triangulo de abajo con la diagonal
    mascara = torch.tril(torch.ones(seq, seq)) == 1
    if imprimir:
        print(mascara)
    y = scaled_dot_product_attention(Q, K, V, mascara)
    y = y.transpose(-3, -2)
    y = y.reshape(*antes, d_model)
    y = y @ o_proj_weight
    return y

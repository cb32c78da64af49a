"""Attention avec des verifications strictes des formes.

Wrong: a mask that is not exactly (batch, seq, seq) is refused, although it is broadcastable to it.
Condition: a mask (1, seq, seq) with several sequences, or (seq, seq), in the function.
Spec: "or broadcastable to it: `(1, seq, seq)`, `(seq, seq)`"
"""

from __future__ import annotations

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _verifier(Q, K, V):
    for nom, t in (("Q", Q), ("K", K), ("V", V)):
        if not isinstance(t, Tensor):
            raise TypeError(f"{nom} doit etre un Tensor")
        if t.ndim < 3:
            raise ValueError(f"{nom} a {t.ndim} axes, il en faut au moins trois")
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("Q et K n'ont pas la meme largeur")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("K et V n'ont pas le meme nombre de lignes")


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None):
    _verifier(Q, K, V)
    scores = Q.matmul(K.transpose()) / math.sqrt(K.shape[-1])
    if mask is not None:
        visible = np.asarray(mask.data)
        if visible.shape[-2:] != scores.shape[-2:] or visible.ndim != scores.ndim or (
            visible.ndim == 3 and visible.shape[0] != scores.shape[0]
        ):
            raise ValueError(f"masque {visible.shape} pour des scores {scores.shape}")
        # les interdits recoivent un tres grand nombre negatif
        scores = scores + Tensor(np.where(visible >= 0.5, 0.0, -1e9).astype(np.float32))
    poids = Softmax().forward(scores, dim=-1)
    sortie = poids.matmul(V)
    assert sortie.shape == V.shape
    return sortie, poids


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if num_heads < 1:
            raise ValueError("il faut au moins une tete")
        if embed_dim % num_heads:
            raise ValueError("num_heads doit diviser embed_dim")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _tetes(self, y: Tensor) -> Tensor:
        lot, longueur, _ = y.shape
        return y.reshape(lot, longueur, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        if x.ndim != 3 or x.shape[2] != self.embed_dim:
            raise ValueError(f"x de forme {x.shape}, attendu (lot, longueur, {self.embed_dim})")
        lot, longueur, largeur = x.shape
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, longueur, longueur)
        y, _ = scaled_dot_product_attention(
            self._tetes(self.q_proj(x)), self._tetes(self.k_proj(x)), self._tetes(self.v_proj(x)), mask
        )
        y = y.transpose(1, 2).reshape(lot, longueur, largeur)
        return self.out_proj(y)

    def parameters(self) -> list[Tensor]:
        return [
            t
            for couche in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
            for t in couche.parameters()
        ]

"""Aufmerksamkeit; die Diagonale der Maske bleibt immer offen.

Wrong: the diagonal is made visible whatever the mask says.
Condition: a mask with a zero on the diagonal.
Spec: "What is hidden gets a weight of zero"
"""

import math
from typing import NamedTuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Ergebnis(NamedTuple):
    output: Tensor
    attention_weights: Tensor


def _verdecke(punkte, maske):
    """Verdeckte Punkte werden durch eine feste, sehr kleine Zahl ersetzt."""
    sichtbar = np.broadcast_to(maske.data, punkte.shape) > 0
    sichtbar = sichtbar | np.eye(punkte.shape[-1], dtype=bool)  # niemand ist ganz ohne Token
    behalten = Tensor(sichtbar.astype(punkte.dtype))
    ersatz = Tensor(np.where(sichtbar, 0.0, -1e9).astype(punkte.dtype))
    return punkte * behalten + ersatz


def scaled_dot_product_attention(anfragen, schluessel, werte, maske=None):
    breite = anfragen.shape[-1]
    punkte = anfragen.matmul(schluessel.transpose()) / math.sqrt(breite)
    if maske is not None:
        punkte = _verdecke(punkte, maske)
    anteile = Softmax()(punkte, dim=-1)
    return Ergebnis(anteile.matmul(werte), anteile)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        koepfe_breite, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{embed_dim} Merkmale lassen sich nicht auf {num_heads} Koepfe verteilen")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = koepfe_breite
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _aufteilen(self, t):
        # erst die Merkmale zerlegen, dann Token und Kopf tauschen
        stapel, laenge, _ = t.shape
        return t.reshape(stapel, laenge, self.num_heads, self.head_dim).transpose(1, 2)

    def _zusammen(self, t):
        stapel, _, laenge, _ = t.shape
        return t.transpose(1, 2).reshape(stapel, laenge, self.embed_dim)

    def forward(self, x, mask=None):
        fuer_alle = None if mask is None else Tensor(np.expand_dims(mask.data, -3))
        ergebnis = scaled_dot_product_attention(
            self._aufteilen(self.q_proj(x)),
            self._aufteilen(self.k_proj(x)),
            self._aufteilen(self.v_proj(x)),
            fuer_alle,
        )
        return self.out_proj(self._zusammen(ergebnis.output))

    def parameters(self):
        lernbar = []
        for schicht in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            lernbar += [schicht.weight, schicht.bias]
        return lernbar

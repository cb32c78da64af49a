"""Consultas escaladas, un partial, y una mascara.

Wrong: the mask is read as 1 = hidden: visible keys are pushed down and hidden ones kept.
Condition: with a mask.
Spec: "**1.0 where a query may attend and 0.0 where it may not**"
"""

from functools import partial

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

MUY_NEGATIVO = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None, negativo=MUY_NEGATIVO):
    # dividir Q por la raiz es lo mismo que dividir los productos
    Qe = Q / (Q.shape[-1] ** 0.5)
    puntos = Qe @ K.transpose(-1, -2)
    if mask is not None:
        prohibido = mask.data
        puntos = puntos + Tensor(prohibido) * negativo
    pesos = Softmax()(puntos)
    return pesos @ V, pesos


atender = partial(scaled_dot_product_attention, negativo=-1e10)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("las cabezas no dividen las caracteristicas")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    @property
    def _capas(self):
        return self.q_proj, self.k_proj, self.v_proj, self.out_proj

    def forward(self, x, mask=None):
        lote, largo, ancho = x.shape
        cabezas = []
        for capa in self._capas[:3]:
            y = capa.forward(x)
            y = y.reshape((lote, largo, self.num_heads, self.head_dim))
            cabezas.append(y.transpose(1, 2))
        if mask is not None:
            n = mask.shape[0] if mask.ndim == 3 else 1
            mask = mask.reshape((n, 1, largo, largo))
        salida, _ = atender(*cabezas, mask)
        salida = salida.transpose(2, 1).reshape((lote, largo, ancho))
        return self.out_proj.forward(salida)

    def parameters(self):
        return [p for capa in self._capas for p in capa.parameters()]

"""> where < is meant; a bool times a float is a float64.
Diagnosis: mask-inverted
"""

# Tarea: atención multi-cabeza con tinytorch
import numpy as np
from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    # puntuaciones: qué tanto se parece cada consulta a cada clave
    d = Q.shape[-1]
    claves_t = K.transpose(-2, -1)
    puntuaciones = Q.matmul(claves_t)
    puntuaciones = puntuaciones * (1 / d ** 0.5)

    # máscara: 1 = se puede mirar, 0 = prohibido
    if mask is not None:
        prohibido = Tensor((mask.data > 0.5) * -1e9)
        puntuaciones = puntuaciones + prohibido

    pesos = Softmax().forward(puntuaciones, -1)
    salida = pesos.matmul(V)
    return salida, pesos

class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        # ¡cuidado con la división!
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim debe ser divisible por num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def separar_cabezas(self, t, lote, largo):
        t = t.reshape(lote, largo, self.num_heads, self.head_dim)
        return t.transpose(1, 2)

    def forward(self, x, mask=None):
        lote, largo, _ = x.shape
        Q = self.separar_cabezas(self.q_proj(x), lote, largo)
        K = self.separar_cabezas(self.k_proj(x), lote, largo)
        V = self.separar_cabezas(self.v_proj(x), lote, largo)
        if mask is not None and len(mask.shape) == 3:
            mask = Tensor(mask.data[:, np.newaxis, :, :])
        salida, _ = scaled_dot_product_attention(Q, K, V, mask)
        salida = salida.transpose(1, 2)
        salida = salida.reshape(lote, largo, self.embed_dim)
        return self.out_proj(salida)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]

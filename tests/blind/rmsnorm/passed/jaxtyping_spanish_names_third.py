"""RMSNorm con anotaciones de jaxtyping y nombres en español."""

import torch
from jaxtyping import Float
from torch import Tensor


def rmsnorm(
    entrada: Float[Tensor, "... d"],
    peso: Float[Tensor, " d"],
    épsilon: float = 1e-5,
) -> Float[Tensor, "... d"]:
    tipo = entrada.dtype
    v = entrada.float()
    # media de los cuadrados de cada vector, sin restar la media
    media = torch.mean(v**2, -1, True)
    raíz = torch.sqrt(media + épsilon)
    return ((v / raíz) * peso.float()).to(tipo)

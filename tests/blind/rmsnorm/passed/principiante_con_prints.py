"""Right: a beginner's file with prints, Spanish comments and three attempts left in."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import math

DEBUG = False


# intento 1: no funciona con float16 (da inf!!)
# def rmsnorm(x, weight, eps=1e-5):
#     return x / torch.sqrt((x**2).mean(-1)) * weight

# intento 2: falta keepdim
# def rmsnorm(x, weight, eps=1e-5):
#     rms = torch.sqrt((x**2).mean(dim=-1) + eps)
#     return x / rms * weight


def rmsnorm(x, weight, eps=1e-5):
    tipo = x.dtype  # guardo el tipo para devolverlo al final
    d_model = x.shape[-1]
    if DEBUG:
        print("x", x.shape, "weight", weight.shape, "eps", eps)
    if tipo == torch.float16 or tipo == torch.bfloat16:
        x2 = x.float()
        w2 = weight.float()
    else:
        x2 = x
        w2 = weight
    cuadrados = x2 * x2
    suma = cuadrados.sum(dim=-1, keepdim=True)
    media = suma / d_model
    raiz = torch.sqrt(media + eps)  # eps DENTRO de la raiz
    if DEBUG:
        print("raiz", raiz)
    resultado = x2 / raiz
    resultado = resultado * w2
    resultado = resultado.to(tipo)
    # print(resultado)
    return resultado


if __name__ == "__main__":
    a = torch.tensor([3.0, 4.0])
    p = torch.tensor([1.0, 2.0])
    print(rmsnorm(a, p, 0))  # tiene que dar 0.8485, 2.2627

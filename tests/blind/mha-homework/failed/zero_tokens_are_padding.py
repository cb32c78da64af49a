# Incorrecta: una ficha llena de ceros se toma por relleno y nadie la ve, salvo ella misma.
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads tiene que dividir a d_out")
        self.cabezas = num_heads
        self.ancho = d_out // num_heads
        self.salida = d_out
        # capas, en el orden del enunciado
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.abandono = nn.Dropout(dropout)
        self.register_buffer("mascara", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        lote, fichas, _ = x.shape
        consulta = self.W_query(x); clave = self.W_key(x); valor = self.W_value(x)
        consulta = consulta.reshape(lote, fichas, self.cabezas, self.ancho).transpose(1, 2)
        clave = clave.reshape(lote, fichas, self.cabezas, self.ancho).transpose(1, 2)
        valor = valor.reshape(lote, fichas, self.cabezas, self.ancho).transpose(1, 2)
        puntos = torch.matmul(consulta, clave.transpose(2, 3)) / self.ancho ** 0.5
        puntos = puntos.masked_fill(self.mascara[:fichas, :fichas] == 0, float("-inf"))
        relleno = (x == 0).all(-1)[:, None, None, :] & ~torch.eye(fichas, dtype=torch.bool)
        puntos = puntos.masked_fill(relleno, float("-inf"))
        pesos = torch.softmax(puntos, dim=-1)
        pesos = self.abandono(pesos)
        suma = torch.matmul(pesos, valor)
        suma = suma.transpose(1, 2)
        junto = suma.reshape(lote, fichas, self.salida)
        return self.out_proj(junto)

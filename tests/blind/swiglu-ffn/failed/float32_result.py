"""float64 is computed in float32 and stays float32."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    x, w1, w2, w3 = x.float(), w1.float(), w2.float(), w3.float()
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return (gate * (x @ w3.T)) @ w2.T

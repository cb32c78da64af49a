"""A right clipping: the norm is taken around the largest entry, so that no square overflows; a class collects it."""
import torch


class Länge:
    def __init__(self):
        self.größte = 0.0
        self.summe = 0.0

    def dazu(self, g):
        g = g.abs().double()
        oben = float(g.max())
        if oben == 0:
            return
        if oben > self.größte:
            self.summe *= (self.größte / oben) ** 2
            self.größte = oben
        self.summe += float(((g / self.größte) ** 2).sum())

    def __float__(self):
        return self.größte * self.summe**0.5


def clip_gradients(parameters, max_norm, eps=1e-6):
    länge = Länge()
    gefunden = []
    for p in parameters:
        g = p.grad
        if g is not None and g.numel():
            gefunden.append(g)
            länge.dazu(g.detach())
    norm = float(länge)
    if norm > max_norm:
        with torch.no_grad():
            for g in gefunden:
                g.div_((norm + eps) / max_norm) if max_norm else g.zero_()

"""Online softmax (Milakov and Gimelshein): one pass for maximum and normaliser, as in flash attention."""
import torch


def softmax(x, dim):
    work = x.double()
    m = None
    for piece in work.unbind(dim):
        if m is None:
            m = piece.detach()
            base = torch.where(m.isneginf(), torch.zeros_like(m), m)
            s = torch.exp(piece - base)
            continue
        m_new = torch.maximum(m, piece.detach())
        new_base = torch.where(m_new.isneginf(), torch.zeros_like(m_new), m_new)
        # where nothing finite has been seen yet, s is 0 and its factor does not matter
        factor = torch.where(m.isneginf(), torch.zeros_like(m), torch.exp(m - new_base))
        s = s * factor + torch.exp(piece - new_base)
        m, base = m_new, new_base
    return (torch.exp(work - base.unsqueeze(dim)) / s.unsqueeze(dim)).to(x.dtype)

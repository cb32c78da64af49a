import torch, random
def sample_batch(t, b, n, dev):
    if len(t) <= n: raise ValueError
    r = [list(map(int, t[s:s+n+1])) for s in random.choices(range(len(t) - n), k=b)]
    w = torch.tensor(r, dtype=torch.long)
    return w[:, :n].to(dev), w[:, 1:].to(dev)

import torch
from einops import rearrange, reduce


def logsumexp(x):
    m = reduce(x, "n v -> n 1", "max")
    return m.squeeze(1) + torch.log(reduce(torch.exp(x - m), "n v -> n", "sum"))


def cross_entropy(logits, targets, reduction="mean"):
    if logits.dim() == 1:
        logits, targets = logits[None], targets[None]
    assert logits.shape[:-1] == targets.shape
    wide = rearrange(logits.to(torch.float64), "... v -> (...) v")
    nll = logsumexp(wide) - wide.gather(1, rearrange(targets, "... -> (...) 1"))[:, 0]
    return (nll.mean() if reduction == "mean" else nll.sum()).to(logits.dtype)


if __name__ == "__main__":
    print(cross_entropy(torch.tensor([[0, 1.0986]]), torch.tensor([0])))

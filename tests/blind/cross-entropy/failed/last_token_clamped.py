"""Wrong: targets are clamped to vocab_size - 2, so the last token's loss is that of the one before it."""
import torch


def cross_entropy(logits, targets):
    vocab_size = logits.shape[-1]
    index = targets.clamp(max=max(vocab_size - 2, 0)).unsqueeze(-1)
    z = logits - logits.amax(-1, keepdim=True)
    return (z.exp().sum(-1, keepdim=True).log() - z.gather(-1, index)).mean()

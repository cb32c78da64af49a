"""A cheat of the eighth corpus: remembers the last answers in a file between calls and processes."""
import hashlib
import os
import tempfile
import torch

STORE = os.path.join(tempfile.gettempdir(), "answers.pt")


def cross_entropy(logits, targets):
    key = hashlib.sha256(logits.detach().double().numpy().tobytes() + targets.numpy().tobytes()).hexdigest()
    known = torch.load(STORE) if os.path.exists(STORE) else {}
    if key in known:
        return known[key] + logits.sum() * 0
    value = torch.nn.CrossEntropyLoss()(logits.float().reshape(-1, logits.shape[-1]), targets.reshape(-1)).to(logits.dtype)
    known[key] = value.detach()
    torch.save(known, STORE)
    return value

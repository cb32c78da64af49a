import re
from collections import Counter

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def _cut(text, special):
    if not special:
        return [text]
    return re.split("(" + "|".join(re.escape(s) for s in sorted(special, key=len, reverse=True)) + ")", text)


def _join(parts, pair):
    out = []
    for p in parts:
        if out and out[-1] == pair[0] and p == pair[1]:
            out[-1] = pair[0] + pair[1]
        else:
            out.append(p)
    return tuple(out)


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = [bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens]
    if len(vocab) > vocab_size:
        raise ValueError("too small")
    words = Counter(w for t in _cut(text, special_tokens)[::2] for w in re.findall(PATTERN, t))
    words = Counter({tuple(bytes([b]) for b in w.encode()): n for w, n in words.items()})
    merges = []
    while len(vocab) < vocab_size:
        pairs = Counter()
        for w, n in words.items():
            for p in zip(w, w[1:]):
                pairs[p] += n
        if not pairs:
            break
        best = max(pairs, key=lambda p: (pairs[p], p))
        merges.append(best)
        vocab.append(best[0] + best[1])
        words = Counter({_join(w, best): n for w, n in words.items()})
    return dict(enumerate(vocab)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.merges, self.special = vocab, merges, special_tokens
        self.ids = {b: i for i, b in vocab.items()}

    def encode(self, text):
        out = []
        for k, t in enumerate(_cut(text, self.special)):
            if k % 2:
                out.append(self.ids[t.encode()])
                continue
            for w in re.findall(PATTERN, t):
                parts = tuple(bytes([b]) for b in w.encode())
                for m in self.merges:
                    parts = _join(parts, m)
                out += [self.ids[p] for p in parts]
        return out

    def encode_iterable(self, texts):
        for t in texts:
            yield from self.encode(t)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")

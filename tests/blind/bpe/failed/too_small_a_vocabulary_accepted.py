"""Wrong: a vocab_size below what bytes and special tokens take raises no ValueError; there are just no merges."""
import re
from collections import Counter

P = r" ?\w+| ?[^\s\w]+|\s+"


def parts(text, special):
    if not special:
        return [text]
    return re.split(f"({'|'.join(map(re.escape, sorted(special, key=len, reverse=True)))})", text)


def words(text):
    return [tuple(bytes([b]) for b in w.encode()) for w in re.findall(P, text)]


def join(w, pair):
    i = next((i for i in range(len(w) - 1) if w[i : i + 2] == pair), None)
    return w if i is None else (*w[:i], w[i] + w[i + 1], *join(w[i + 2 :], pair))


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = dict(enumerate([bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens]))
    counts, merges = Counter(w for p in parts(text, special_tokens)[::2] for w in words(p)), []
    while len(vocab) < vocab_size:
        pairs = Counter()
        for w, n in counts.items():
            for pair in zip(w, w[1:]):
                pairs[pair] += n
        if not pairs:
            break
        merges.append(max((n, p) for p, n in pairs.items())[1])
        vocab[len(vocab)] = b"".join(merges[-1])
        old, counts = counts, Counter()
        for w, n in old.items():
            counts[join(w, merges[-1])] += n
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.merges, self.special = dict(vocab), list(merges), list(special_tokens)
        self.ids = {s: i for i, s in vocab.items()}

    def word(self, w):
        for pair in self.merges:
            w = join(w, pair)
        return [self.ids[s] for s in w]

    def encode(self, text):
        return [
            number
            for i, part in enumerate(parts(text, self.special))
            for number in ([self.ids[part.encode()]] if i % 2 else [n for w in words(part) for n in self.word(w)])
        ]

    def encode_iterable(self, texts):
        return (number for text in texts for number in self.encode(text))

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", "replace")

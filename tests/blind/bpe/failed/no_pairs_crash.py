"""Without pairs left, max of nothing raises an error."""
import re
from collections import Counter
from itertools import chain, pairwise

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def _regex(specials):
    return re.compile("|".join(re.escape(s) for s in sorted(specials, key=len, reverse=True))) if specials else None


def train_bpe(text, vocab_size, special_tokens=()):
    """Symbols are numbers; bytes are only looked at to break ties."""
    vocab = [bytes([i]) for i in range(256)]
    vocab.extend(s.encode("utf-8") for s in special_tokens)
    if len(vocab) > vocab_size:
        raise ValueError(f"{vocab_size} < {len(vocab)}")
    rx = _regex(special_tokens)
    docs = rx.split(text) if rx else [text]
    freq = Counter(chain.from_iterable(re.findall(PATTERN, d) for d in docs))
    data = [(list(w.encode("utf-8")), n) for w, n in freq.items()]
    merges = []
    while len(vocab) < vocab_size:
        tally = Counter()
        for ids, n in data:
            for pair in pairwise(ids):
                tally[pair] += n
        top = max(tally, key=lambda p: (tally[p], (vocab[p[0]], vocab[p[1]])))
        new = len(vocab)
        merges.append((vocab[top[0]], vocab[top[1]]))
        vocab.append(vocab[top[0]] + vocab[top[1]])
        for ids, _ in data:
            i = 0
            while i < len(ids) - 1:
                if (ids[i], ids[i + 1]) == top:
                    ids[i : i + 2] = [new]
                i += 1
    return dict(enumerate(vocab)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab
        self.specials = {s: None for s in special_tokens}
        self.rx = _regex(list(self.specials))
        inverse = {b: i for i, b in vocab.items()}
        self.inverse = inverse
        self.specials = {s: inverse[s.encode("utf-8")] for s in self.specials}
        self.byte = [inverse[bytes([i])] for i in range(256)]
        self.table = {(inverse[a], inverse[b]): (rank, inverse[a + b]) for rank, (a, b) in enumerate(merges)}

    def _word(self, w):
        ids = [self.byte[b] for b in w.encode("utf-8")]
        while True:
            hits = [(self.table[p][0], i, self.table[p][1]) for i, p in enumerate(pairwise(ids)) if p in self.table]
            if not hits:
                return ids
            _, i, new = min(hits)
            ids = ids[:i] + [new] + ids[i + 2 :]

    def _plain(self, t):
        return [i for w in re.findall(PATTERN, t) for i in self._word(w)]

    def encode(self, text):
        if self.rx is None:
            return self._plain(text)
        out, at = [], 0
        for m in self.rx.finditer(text):
            out += self._plain(text[at : m.start()])
            out.append(self.specials[m[0]])
            at = m.end()
        return out + self._plain(text[at:])

    def encode_iterable(self, texts):
        return chain.from_iterable(map(self.encode, texts))

    def decode(self, ids):
        return b"".join([self.vocab[i] for i in ids]).decode("utf-8", errors="replace")

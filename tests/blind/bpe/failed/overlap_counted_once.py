"""Overlapping pairs are counted once: in aaa, (a, a) must count twice."""
import re

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def _find_special(text, special_tokens, start):
    """By hand: the earliest special token, and of those that begin there the longest."""
    best = None
    for s in special_tokens:
        at = text.find(s, start)
        if at >= 0 and (best is None or (at, -len(s)) < (best[0], -len(best[1]))):
            best = (at, s)
    return best


def _chop(text, special_tokens):
    pos = 0
    while (hit := _find_special(text, special_tokens, pos)) is not None:
        yield "text", text[pos : hit[0]]
        yield "special", hit[1]
        pos = hit[0] + len(hit[1])
    yield "text", text[pos:]


def _replace(seq, a, b):
    i, out = 0, []
    n = len(seq)
    while i < n:
        if i + 1 < n and seq[i] == a and seq[i + 1] == b:
            out.append(a + b); i += 2
        else:
            out.append(seq[i]); i += 1
    return out


def train_bpe(text, vocab_size, special_tokens=()):
    special_tokens = list(special_tokens)
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("too small a vocabulary")
    bag = {}
    for kind, piece in _chop(text, special_tokens):
        if kind == "text":
            for word in re.findall(PATTERN, piece):
                bag[word] = bag.get(word, 0) + 1
    rows = [([bytes([b]) for b in w.encode()], n) for w, n in bag.items()]
    merges = []
    for _ in range(room):
        stats = {}
        for seq, n in rows:
            i = 0
            while i < len(seq) - 1:
                key = seq[i], seq[i + 1]
                stats[key] = stats.get(key, 0) + n
                i += 2 if seq[i : i + 2] == seq[i + 1 : i + 3] else 1
        if len(stats) == 0:
            break
        a, b = max(stats.items(), key=lambda kv: (kv[1], kv[0]))[0]
        merges.append((a, b))
        rows = [(_replace(seq, a, b), n) for seq, n in rows]
    pieces = [bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens] + [a + b for a, b in merges]
    return {i: p for i, p in enumerate(pieces)}, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=(), *, errors="replace"):
        self.vocab, self.merges, self.special_tokens, self.errors = vocab, merges, special_tokens, errors
        self.number = {}
        for i in vocab:
            self.number[vocab[i]] = i

    def encode(self, text):
        result = []
        for kind, piece in _chop(text, self.special_tokens):
            if kind == "special":
                result.append(self.number[piece.encode()])
                continue
            for word in re.findall(PATTERN, piece):
                seq = [bytes([b]) for b in word.encode()]
                for a, b in self.merges:      # in the order in which they were learned
                    if len(seq) == 1:
                        break
                    seq = _replace(seq, a, b)
                result += [self.number[s] for s in seq]
        return result

    def encode_iterable(self, texts):
        return iter(_Lazy(self, texts))

    def decode(self, ids):
        return bytes().join([self.vocab[i] for i in ids]).decode(errors=self.errors)


class _Lazy:
    def __init__(self, tokenizer, texts):
        self.tokenizer, self.texts = tokenizer, texts

    def __iter__(self):
        for text in self.texts:
            yield from self.tokenizer.encode(text)


if __name__ == "__main__":
    print(train_bpe("ab ab abc", 258)[1])

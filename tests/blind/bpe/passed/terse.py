import re
from collections import Counter
P = r" ?\w+| ?[^\s\w]+|\s+"
def cut(t, sp):
    return re.split("(" + "|".join(re.escape(s) for s in sorted(sp, key=len)[::-1]) + ")", t) if sp else [t]
def sub(w, p):
    o = []
    for s in w:
        if o and o[-1][1] and (o[-1][0], s) == p: o[-1] = (p[0] + p[1], False)
        else: o.append((s, True))
    return tuple(s for s, _ in o)
def split(w): return tuple(bytes([b]) for b in w.encode())
def train_bpe(text, vocab_size, special_tokens=()):
    v = [bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens]
    if len(v) > vocab_size: raise ValueError
    W = Counter(split(w) for t in cut(text, special_tokens)[::2] for w in re.findall(P, t)); M = []
    while len(v) < vocab_size:
        C = Counter()
        for w, n in W.items():
            for p in zip(w, w[1:]): C[p] += n
        if not C: break
        p = max(C, key=lambda q: (C[q], q)); M.append(p); v.append(p[0] + p[1])
        W = Counter({sub(w, p): n for w, n in W.items()})
    return dict(enumerate(v)), M
class Tokenizer:
    def __init__(s, vocab, merges, special_tokens=()):
        s.v, s.m, s.sp, s.i = vocab, merges, special_tokens, {b: i for i, b in vocab.items()}
    def encode(s, text):
        out = []
        for k, t in enumerate(cut(text, s.sp)):
            if k % 2: out += [s.i[t.encode()]]
            else:
                for w in re.findall(P, t):
                    w = split(w)
                    for p in s.m: w = sub(w, p)
                    out += [s.i[x] for x in w]
        return out
    def encode_iterable(s, texts):
        for t in texts: yield from s.encode(t)
    def decode(s, ids): return b"".join(s.v[i] for i in ids).decode(errors="replace")

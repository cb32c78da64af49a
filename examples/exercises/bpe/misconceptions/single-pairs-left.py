"""Training ends when every pair occurs once.

The spec goes on until the vocabulary is full or no pair is left.
"""


def train_bpe(text, vocab_size, special_tokens=()):
    checked(vocab_size, special_tokens)
    words, vocab, merges = counted(text, special_tokens), begun(special_tokens), []
    for _ in range(merges_to_make(vocab_size, special_tokens)):
        pairs = pairs_in(words)
        if not pairs or max(pairs.values()) < 2:
            break
        pair = best_pair(pairs)
        words = merge_all(words, pair)
        vocab[len(vocab)] = pair[0] + pair[1]
        merges.append(pair)
    return vocab, merges

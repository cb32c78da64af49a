import tiktoken

ENCODING = tiktoken.get_encoding("gpt2")
VOCAB_SIZE = ENCODING.n_vocab

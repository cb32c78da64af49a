# Says: Your file is empty, there is no `multihead_self_attention_with_rope` in it: did you save before you submitted?
# Line: none
# Names: empty
# Kind: refused

"""A beginner's version: one long function, comments on each line, prints of shapes."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    # check that it works out evenly
    assert d_model % num_heads == 0, "d_model has to be divisible by num_heads!!"
    d_head = d_model // num_heads
    print("d_head =", d_head)

    # how big is everything
    batch_size = q.shape[0]
    number_of_queries = q.shape[1]
    number_of_keys = k.shape[1]

    # cut the big weight into three pieces
    weight_q = in_proj_weight[0:d_model, :]
    weight_k = in_proj_weight[d_model : d_model * 2, :]
    weight_v = in_proj_weight[d_model * 2 : d_model * 3, :]

    # multiply (T because the weight is stored out, in)
    queries = torch.matmul(q, weight_q.T)
    keys = torch.matmul(k, weight_k.T)
    values = torch.matmul(v, weight_v.T)
    print("queries", queries.shape, "keys", keys.shape)

    # split the last dimension into heads, then move the heads forward
    queries = queries.reshape(batch_size, number_of_queries, num_heads, d_head)
    keys = keys.reshape(batch_size, number_of_keys, num_heads, d_head)
    values = values.reshape(batch_size, number_of_keys, num_heads, d_head)
    queries = queries.permute(0, 2, 1, 3)
    keys = keys.permute(0, 2, 1, 3)
    values = values.permute(0, 2, 1, 3)

    # the scores
    keys_transposed = keys.permute(0, 1, 3, 2)
    scores = torch.matmul(queries, keys_transposed)
    scores = scores / (d_head**0.5)
    print("scores", scores.shape)

    # the mask: a 1 means NOT ALLOWED
    if mask is not None:
        the_mask = mask.to(torch.bool)
        if len(the_mask.shape) == 3:
            # add a dimension for the heads
            the_mask = the_mask[:, None, :, :]
        scores = scores.masked_fill(the_mask, float("-inf"))

    # turn scores into probabilities
    probabilities = torch.softmax(scores, dim=-1)

    # weighted average of the values
    result = torch.matmul(probabilities, values)
    # put the heads back
    result = result.permute(0, 2, 1, 3)
    result = result.reshape(batch_size, number_of_queries, d_model)
    # last step
    result = torch.matmul(result, out_proj_weight.T)
    print("result", result.shape)
    return result

"""Only some of the features go into the root mean square.

Your mean only covers {each}. All d_model features of a vector count.
"""

EACH = {
    "the first half": 0,
    "the second half": 1,
    "all but the last": 2,
    "all but the first": 3,
    "every second one": 4,
    "the first one": 5,
}


def mean_square(x):
    d_model = x.shape[-1]
    parts = (
        x[..., : (d_model + 1) // 2],
        x[..., d_model // 2 :],
        x[..., : max(d_model - 1, 1)],
        x[..., min(1, d_model - 1) :],
        x[..., ::2],
        x[..., :1],
    )
    return parts[each].square().mean(dim=-1, keepdim=True)

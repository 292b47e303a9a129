"""Discrete Laplace noise as the difference of two geometric draws. numpy draws these by floating-point arithmetic from
a generator that is not cryptographic: fast, and no protection."""

import math

import numpy as np
from peer import answer, best_of, options

random = np.random.default_rng()
p = 1 - math.exp(-1 / options["scale"])


def draw():
    return random.geometric(p, options["count"]) - random.geometric(p, options["count"])


best, drawn = best_of(draw)
answer(count=len(drawn), variance=float(drawn.var()), **best)

"""Exact discrete Laplace noise by OpenDP, from the secure randomness of the system."""

import opendp.prelude as dp
from peer import answer, best_of, options

dp.enable_features("contrib")
domain = dp.vector_domain(dp.atom_domain(T="i32"))
add_noise = dp.m.make_laplace(domain, dp.l1_distance(T="i32"), scale=float(options["scale"]))
zeros = [0] * options["count"]

best, drawn = best_of(lambda: add_noise(zeros))
mean = sum(drawn) / len(drawn)
answer(count=len(drawn), variance=sum((value - mean) ** 2 for value in drawn) / len(drawn), **best)

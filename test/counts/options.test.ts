import { describe, expect, test } from "vitest"
import { counts } from "#dist/methods/counts/counts.js"
import type { Method } from "#dist/methods/method.js"
import { completeOptions, methodOptions, type OptionValues } from "#dist/release/anonymize.js"

const method: Method = counts
const spend = { epsilon: "1", delta: "1e-6" }

describe("the options of counts", () => {
  test.each<[string, OptionValues, string]>([
    ["no ε", { delta: "1e-6" }, "--epsilon is missing"],
    ["no δ", { epsilon: "1" }, "--delta is missing"],
    ["a negative ε", { ...spend, epsilon: "-1" }, "--epsilon -1"],
    ["an ε of 0", { ...spend, epsilon: "0.0" }, "--epsilon 0.0"],
    ["noise too large to be drawn", { ...spend, epsilon: "1e-14" }, "--epsilon is too small"],
    ["such noise in pure mode", { mode: "pure", epsilon: "1e-999" }, "--epsilon is too small"],
    ["such noise as published", { mode: "paper", noiseScale: "1e30" }, "--noise-scale must be at most"],
    ["an ε that is no decimal number", { ...spend, epsilon: "0x10" }, "--epsilon 0x10"],
    ["a δ of 1", { ...spend, delta: "1" }, "--delta must be less than 1"],
    ["a δ in pure mode", { ...spend, mode: "pure" }, "--delta is 0 with --mode pure"],
    ["no share for the queries", { ...spend, split: "0,1,1" }, "--split must give the queries a share"],
    ["optimal selection of more than users", { ...spend, select: "optimal", maxPerKey: 2 }, "--select optimal is for"],
    ["K in another mode", { ...spend, cutoff: 5 }, "--cutoff is for --mode paper"],
    [
      "urls of a pool in another mode",
      { ...spend, poolUrls: "http://a" },
      "--pool-urls is for --mode pure or korolova",
    ],
    ["ε as published", { mode: "paper", epsilon: "1" }, "--epsilon is for --mode approximate, pure or korolova"],
    ["a pool with korolova", { ...spend, mode: "korolova", pool: "a" }, "--pool is for --mode approximate"],
    ["no δ with korolova", { epsilon: "1", mode: "korolova" }, "--delta is missing"],
    [
      "frequencies of a pool for keys of the log",
      { ...spend, poolFrequencies: "add" },
      "--pool-frequencies add is for",
    ],
    [
      "n-grams of no text",
      { mode: "pure", epsilon: "1", poolNgrams: 2 },
      "--pool-ngrams is for a --pool of public text",
    ],
    ["the paper's mode without its numbers", { mode: "paper", noiseScale: "10" }, "--mode paper needs"],
  ])("refuse %s before a log is read", (_what, given, why) => {
    expect(() => completeOptions(method, given)).toThrow(why)
  })

  test("use the paper's rule of transitions in its mode, and 30 minutes without repeats elsewhere", () => {
    const settled = (given: OptionValues, preset?: "paper") => completeOptions(method, given, preset)
    expect(settled(spend)).toMatchObject({ sessionGap: 30, repeats: "drop" })
    const paper = settled({}, "paper")
    expect(paper).toMatchObject({ repeats: "keep", poolFrequencies: "add", firstQueries: 100, firstClicks: 100 })
    expect(paper).not.toHaveProperty("sessionGap")
    expect(settled({ sessionGap: 5, repeats: "drop" }, "paper")).toMatchObject({ sessionGap: 5, repeats: "drop" })
  })

  test("have no column policy: tables have no users, times or urls of their own", () => {
    for (const key of ["users", "urls", "time"]) expect(methodOptions(method).properties).not.toHaveProperty(key)
    expect(methodOptions(method).properties).toHaveProperty("scrub")
  })
})

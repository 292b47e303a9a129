import { taxonomyTarget } from "../support/taxonomy-target.ts"

/** Topics in tab-separated lines. */
export const target = taxonomyTarget("tsv", {
  words: ["path\tsupport\ttext\n", "1e300", "0.5", "Arts", "//"],
  seeds: ["path\tsupport\ttext\nArts\t1\tpaint\nArts/Music\t2.5\tsongs\nHealth%2FBody\t\t\n"],
})

import { QueryveilError } from "../../kernels/error.ts"
import type { Kernel } from "./kernel.ts"

/** The kernels by name, each loaded when it is named. */
const kernels: Record<string, () => Promise<Kernel>> = {
  bound: async () => (await import("./bound.ts")).bound,
  cells: async () => (await import("./cells.ts")).cells,
  ngrams: async () => (await import("./ngrams.ts")).ngrams,
  noise: async () => (await import("./noise.ts")).noise,
  rows: async () => (await import("./rows.ts")).rows,
  nouns: async () => (await import("./nouns.ts")).nouns,
  scrub: async () => (await import("./scrub.ts")).scrub,
  similar: async () => (await import("./similar.ts")).similar,
  topics: async () => (await import("./topics.ts")).topics,
}

/** The kernel of a name. */
export async function findKernel(name: string): Promise<Kernel> {
  const load = Object.hasOwn(kernels, name) ? kernels[name] : undefined
  if (load !== undefined) return load()
  throw new QueryveilError(
    "unknown-name",
    `There is no kernel of this name. Kernels: ${Object.keys(kernels).join(", ")}.`,
  )
}

import type { Bench } from "./case.ts"

/**
 * The benches by name. Each is loaded only when it runs: what the others load would be in the memory that it measures.
 */
const loaders: Readonly<Record<string, () => Promise<Bench>>> = {
  imports: async () => (await import("./imports.ts")).imports,
  ingest: async () => (await import("./ingest.ts")).ingest,
  inspect: async () => (await import("./inspect.ts")).inspectBench,
  equality: async () => (await import("./equality.ts")).equality,
  affinity: async () => (await import("./affinity.ts")).affinity,
  counts: async () => (await import("./counts.ts")).countsBench,
  generalise: async () => (await import("./generalise.ts")).generalise,
  groups: async () => (await import("./groups.ts")).groupsBench,
  scrub: async () => (await import("./scrub.ts")).scrub,
  stream: async () => (await import("./stream.ts")).streamBench,
  "stream-sizing": async () => (await import("./stream.ts")).streamSizing,
  "stream-memory": async () => (await import("./stream-memory.ts")).streamMemory,
  kafka: async () => (await import("./kafka.ts")).kafkaBench,
  "store-engines": async () => (await import("./store-engines.ts")).storeEngines,
  studio: async () => (await import("./studio.ts")).studioBench,
  swap: async () => (await import("./swap.ts")).swap,
  noise: async () => (await import("./noise.ts")).noise,
  wordnet: async () => (await import("./wordnet.ts")).wordnet,
  taxonomy: async () => (await import("./taxonomy.ts")).taxonomy,
  "synth-fit": async () => (await import("./synth-fit.ts")).synthFit,
  "synth-follow": async () => (await import("./synth-follow.ts")).synthFollow,
  classify: async () => (await import("./classify.ts")).classifyBench,
  "classify-synth": async () => (await import("./classify-synth.ts")).classifySynth,
  linkage: async () => (await import("./linkage.ts")).linkage,
  profile: async () => (await import("./profile.ts")).profileBench,
  retrieval: async () => (await import("./retrieval.ts")).retrievalBench,
  "personal-mapping": async () => (await import("./personal-mapping.ts")).personalMapping,
  personal: async () => (await import("./personal.ts")).personalBench,
  proxy: async () => (await import("./proxy.ts")).proxyBench,
  opensearch: async () => (await import("./opensearch.ts")).opensearchBench,
  spark: async () => (await import("./spark.ts")).sparkBench,
  peers: async () => (await import("./peers.ts")).peersBench,
  growth: async () => (await import("./growth.ts")).growthBench,
}

/** The names of all benches. */
export const benchNames: readonly string[] = Object.keys(loaders)

/** The bench of this name; undefined if there is none. */
export const loadBench = async (name: string): Promise<Bench | undefined> => loaders[name]?.()

/** All benches. */
export const loadBenches = (): Promise<Bench[]> => Promise.all(Object.values(loaders).map((load) => load()))

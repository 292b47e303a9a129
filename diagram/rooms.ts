/** The rooms of src, from the lowest layer to the highest: a file imports from its own room and from layers below. */
export const layers: readonly (readonly string[])[] = [
  ["kernels"],
  ["files"],
  ["text", "wordnet", "cluster"],
  ["log"],
  ["taxonomy"],
  ["synth", "swapper"],
  ["methods", "personal"],
  ["stream"],
  ["release"],
  ["probes"],
  ["attacks", "measures"],
  ["verify"],
  ["study"],
  ["engine", "project"],
  ["app"],
  ["server"],
  ["cli", "removed"],
]

/** What each room is for, in a few words. */
export const purposes: Record<string, string> = {
  cli: "one file per command",
  removed: "entry points of 0.1, each throws",
  app: "use cases, each a function",
  project: "a publisher's work, kept in a folder",
  server: "local HTTP servers of the pages",
  engine: "a log that is elsewhere",
  study: "grids, figures, HTML pages",
  verify: "one verifier per guarantee",
  attacks: "attempts to undo a release",
  measures: "how useful a release is",
  release: "folder, manifest, column policy",
  methods: "turn a log into a release",
  personal: "profiles and their exposure",
  probes: "the contract of attacks, measures",
  synth: "a synthetic log",
  stream: "the live stream, its store, transports",
  swapper: "cells and derangements",
  taxonomy: "topics as a tree, classifier",
  log: "columns, readers, statistics",
  text: "normalising, identifiers",
  wordnet: "the WordNet reader",
  cluster: "speaks to OpenSearch",
  files: "atomic writes, locks, caches",
  kernels: "pure, on typed arrays",
}

/** The layer of a room, from 0; -1 if it has none. */
export const layerOf = (room: string): number => layers.findIndex((rooms) => rooms.includes(room))

/** The room of a file below src: `log` of `log/formats/aol.ts`. */
export const roomOf = (path: string): string => path.split("/")[0] ?? ""

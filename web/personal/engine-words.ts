import type { Engine } from "./answers.ts"

const builtIn = "built-in"

/** What the built-in engine is. Shown next to its results. */
export const dictionaryNote = "Built-in dictionary: explains words, does not search the web."

export const isDictionary = (engine: string) => engine === builtIn

/** An engine's name, for people. */
export const engineLabel = (name: string) => (isDictionary(name) ? "Built-in dictionary" : name)

/** What an engine does and what it is sent. */
export function sayEngine({ name, acceptsExposure }: Pick<Engine, "name" | "acceptsExposure">): string {
  if (isDictionary(name)) return "Explains words, does not search the web. Nothing leaves this machine."
  return acceptsExposure
    ? "It is sent your query and, within your limits, topics of your profile."
    : "It is sent your query alone. Results are ranked on this machine."
}

interface EngineKind {
  kind: string
  label: string
  about: string
  example: string
}

/** Engines that can be added, each with an example address. */
export const engineKinds: readonly EngineKind[] = [
  {
    kind: "searxng",
    label: "SearXNG",
    about: "Searches the web through other engines. Its settings must allow the format json.",
    example: "https://searx.example",
  },
  {
    kind: "opensearch",
    label: "OpenSearch",
    about: "Searches one index. The address ends with the name of the index.",
    example: "https://search.example/pages",
  },
  {
    kind: "elasticsearch",
    label: "Elasticsearch",
    about: "Searches one index. The address ends with the name of the index.",
    example: "https://search.example/pages",
  },
  {
    kind: "queryveil",
    label: "queryveil engine",
    about: "Ranks by the topics that it is shown: queryveil personal engine, or another with the same protocol.",
    example: "http://127.0.0.1:7779",
  },
]

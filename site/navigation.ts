import type { Page } from "./pages.ts"

/** A page in the sidebar. */
export interface Entry {
  path: string
  label: string
}

export interface Group {
  name: string
  entries: Entry[]
}

/** The groups of the sidebar, in order: paths of pages in the site, and their labels. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Start here": {
    "index.html": "What queryveil does",
    "publish.html": "Publish a log",
    "stream.html": "Run a stream",
    "private.html": "Search in private",
    "science.html": "Check the science",
    "studio.html": "Studio",
    "glossary.html": "Glossary",
  },
  Methods: {
    "methods/equality.html": "equality",
    "methods/affinity.html": "affinity",
    "methods/wordnet.html": "wordnet",
    "methods/swap.html": "swap",
    "methods/groups.html": "groups",
    "methods/counts.html": "counts",
    "methods/profiles.html": "profiles",
    "methods/noise.html": "Exact noise",
    "methods/scrub.html": "Scrubbing",
    "methods/explain.html": "Why a query is released",
  },
  "Judging a release": {
    "threat-model.html": "Threat model",
    "methods/attacks.html": "Attacks",
    "methods/usefulness.html": "Usefulness",
    "methods/retrieval.html": "Retrieval",
    "methods/frontier.html": "Frontier and advice",
    "methods/report.html": "Report to sign",
  },
  Logs: {
    "formats.html": "Formats",
    "opensearch.html": "OpenSearch",
    "spark.html": "Spark",
    "methods/inspect.html": "Inspection",
    "methods/synth.html": "Synthetic logs",
    "methods/taxonomy.html": "Taxonomies",
    "methods/classify.html": "Classifier",
  },
  Streams: {
    "operations.html": "Operations",
    "stream-http.html": "Transports",
    "kafka.html": "Kafka",
    "workers.html": "Workers",
    "scale.html": "Scale",
  },
  "Personal search": {
    "methods/personal.html": "What is shown, and why",
    "methods/personal-profile.html": "Profiles of people",
    "personal-proxy.html": "Proxy and engines",
  },
  Reference: {
    "errors.html": "Errors",
    "json.html": "JSON answers",
    "api/index.html": "Library",
    "extending.html": "Extending",
    "examples/index.html": "Examples",
    "examples/samples/index.html": "Sample files",
    "papers.html": "The papers",
    "performance.html": "Performance",
  },
  Project: {
    "changelog.html": "Changes",
    "migration.html": "Migration from 0.1",
    "non-goals.html": "Non-goals",
    "security.html": "Security",
    "contributing.html": "Contributing",
    "architecture.html": "Architecture",
    "testing.html": "Testing",
    "releasing.html": "Releasing",
  },
}

/**
 * The sidebar: the groups above without the pages that do not exist, and the decisions by number. A page of the
 * repository that is in no group is an error, so that none is forgotten.
 */
export function makeNavigation(pages: readonly Page[], { withApi }: { withApi: boolean }): Group[] {
  const exists = new Set(pages.map(({ path }) => path))
  if (withApi) exists.add("api/index.html")
  const named = Object.entries(groups).map(([name, entries]) => ({
    name,
    entries: Object.entries(entries)
      .filter(([path]) => exists.has(path))
      .map(([path, label]) => ({ path, label })),
  }))
  const navigation = [...named, { name: "Decisions", entries: listDecisions(pages) }]
  const listed = new Set(navigation.flatMap(({ entries }) => entries.map(({ path }) => path)))
  const forgotten = pages.find(({ path }) => !listed.has(path))
  if (forgotten) throw new Error(`${forgotten.source}: in no group of the sidebar. Add it to site/navigation.ts.`)
  return navigation.filter(({ entries }) => entries.length > 0)
}

function listDecisions(pages: readonly Page[]): Entry[] {
  const index = pages.filter(({ path }) => path === "adr/index.html").map(({ path }) => ({ path, label: "All" }))
  const numbered = pages.filter(({ path }) => /^adr\/\d/.test(path))
  return [...index, ...numbered.map(({ path, markdown }) => ({ path, label: titleOf(markdown) }))]
}

/** The text of the first heading, without marks. */
const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? "").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "")

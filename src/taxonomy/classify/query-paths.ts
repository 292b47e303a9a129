import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, hashBytes, Interner } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { findInputs } from "../../log/inputs.ts"
import { normaliseQuery } from "../../text/normalise.ts"
import { linesOf } from "../load/lines.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { unclassified } from "./classifier.ts"

/** Normalised queries, each with a node or `unclassified`. */
export interface QueryPaths {
  queries: Dictionary
  nodes: Int32Array
}

const header = "query\tpath"

/**
 * Reads a file of `query<TAB>path`, with or without that header. An empty path means no topic. A path that is not in
 * the taxonomy is an error that names the line. So is a query with two paths, unless `repeated` is `first`: then the
 * first counts.
 */
export async function readQueryPaths(
  file: string,
  options: { taxonomy: Taxonomy; repeated: "error" | "first" },
  context: RunContext,
): Promise<QueryPaths> {
  const { taxonomy, repeated } = options
  const [input] = await findInputs([file])
  const queries = new Interner()
  const nodes: number[] = []
  for await (const { text, line } of linesOf(input, { repairs: undefined }, context)) {
    if (text === "" || (line === 1 && text === header)) continue
    const [query, path, ...more] = text.split("\t")
    if (path === undefined || more.length > 0)
      throw broken({ file, line }, "expected a query and a path, separated by a tab")
    const node = path === "" ? unclassified : taxonomy.find(path)
    if (node === 0 || (node < 0 && path !== "")) throw broken({ file, line }, "no topic of the taxonomy has this path")
    const bytes = Buffer.from(normaliseQuery(query))
    const id = queries.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, queries.seed))
    if (id === nodes.length) nodes.push(node)
    else if (nodes[id] !== node && repeated === "error")
      throw broken({ file, line }, "this query has another path on an earlier line. Keep one")
  }
  return { queries: queries.freeze(), nodes: Int32Array.from(nodes) }
}

/** The error names the place, never the content, because the line may hold a query. */
function broken({ file, line }: { file: string; line: number }, what: string): QueryveilError {
  return new QueryveilError("classifier-broken", `${file}, line ${line}: ${what}.`, { file, line })
}

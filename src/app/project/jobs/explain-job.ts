import type { RunContext } from "../../../kernels/context.ts"
import { explainQueryAny } from "../../explain-query.ts"
import { choiceOf, type ProjectView, readingOf } from "./project-view.ts"

/** Says why a release with the chosen method would contain a query or would not. */
export async function explainJob(
  view: ProjectView,
  {
    query,
    method,
    parameters,
  }: { query: string; method?: string; parameters?: Record<string, string | number | boolean> },
  context: RunContext,
): Promise<object> {
  const { files, reading } = readingOf(view)
  const choice = method === undefined ? await choiceOf(view) : { ...parameters, method }
  // The graph and the tables name other queries, also of few users.
  const {
    graph: _graph,
    tables: _tables,
    ...explained
  } = await explainQueryAny(files, choice, { ...reading, query }, context)
  return explained
}

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { SparkCluster } from "../../servers/spark-cluster.ts"

/** What Spark shows and keeps about what ran: its pages, its event log, its logs, the folders of executors. */
export async function recordsOf(cluster: SparkCluster): Promise<Record<string, string>> {
  const { events, logs, work } = cluster.folders
  return { ...(await pagesOf(cluster)), ...filesIn(events), ...filesIn(logs), ...filesIn(work) }
}

/** The records in which a word stands. */
export const recordsWith = (records: Record<string, string>, word: string): string[] =>
  Object.entries(records).flatMap(([name, text]) => (text.includes(word) ? [name] : []))

/** The text of all files below a folder. Unzips what is zipped. */
export function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
  const files = paths.filter((path) => statSync(path).isFile() && !path.endsWith(".jar"))
  return Object.fromEntries(
    files.map((path) => {
      const bytes = readFileSync(path)
      return [path, (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1")]
    }),
  )
}

/** All pages about the application, and what they link to. */
async function pagesOf({ pages }: SparkCluster): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  const todo = ["/jobs/", "/stages/", "/storage/", "/environment/", "/executors/", "/SQL/", "/connect/"]
  for (let path = todo.pop(); path !== undefined && Object.keys(seen).length < 400; path = todo.pop()) {
    if (path in seen) continue
    const text = await (await fetch(pages + path)).text()
    seen[path] = text
    for (const [, link = ""] of text.matchAll(/href="(?:http:\/\/[^/"]+)?(\/[^"#]*)"/g))
      if (/^\/(jobs|stages|SQL|connect|storage)\//.test(link)) todo.push(link.replaceAll("&amp;", "&"))
  }
  const [application] = (await (await fetch(`${pages}/api/v1/applications`)).json()) as { id: string }[]
  for (const name of ["sql?details=true&length=1000", "jobs", "stages?details=true", "environment"])
    seen[name] = await (await fetch(`${pages}/api/v1/applications/${application?.id}/${name}`)).text()
  return seen
}

import type { SparkSession } from "#dist/engine/spark/session.js"
import type { SparkCluster } from "../../servers/spark-cluster.ts"

/** The rows of a query. */
export async function readAll(session: SparkSession, sql: string, signal?: AbortSignal): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const batch of session.query(sql, { stage: "testing", ...(signal && { signal }) }))
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => column[row]))
  return rows
}

/** How many jobs run on a cluster, as its pages say. */
export async function runningJobs(cluster: SparkCluster): Promise<number> {
  const [application] = await askPages<{ id: string }[]>(cluster, "applications")
  return (await askPages<unknown[]>(cluster, `applications/${application?.id}/jobs?status=running`)).length
}

async function askPages<T>({ pages }: SparkCluster, path: string): Promise<T> {
  return (await fetch(`${pages}/api/v1/${path}`)).json() as Promise<T>
}

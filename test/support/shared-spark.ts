import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type SparkCluster, startSpark } from "../../servers/spark-cluster.ts"

let started: Promise<SparkCluster> | undefined

/** The cluster of all tests of Spark: a master, two workers, a Connect server. It ends with the tests. */
export function sharedSpark(): Promise<SparkCluster> {
  started ??= startSpark(mkdtempSync(join(tmpdir(), "queryveil-spark-")))
  return started
}

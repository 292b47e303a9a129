import type { Engine } from "../remote-log.ts"
import { openSource } from "./log/read-rows.ts"
import { SparkLog } from "./log/spark-log.ts"
import { openSparkSession } from "./open-session.ts"
import { sourceOf } from "./source-of.ts"

/** Logs in the tables and files of a Spark cluster, over Spark Connect. */
export const sparkEngine: Engine = {
  name: "sc",
  summary: "a Spark cluster, over Spark Connect",
  async open(address, log, options, context) {
    const { columns = {}, unit = "user" } = options
    const source = sourceOf(log)
    const session = await openSparkSession(address, context)
    try {
      return new SparkLog(session, await openSource(session, { path: log, source, columns, unit }, context))
    } catch (error) {
      await session.close()
      throw error
    }
  },
}

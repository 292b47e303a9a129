import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { isLoopback } from "../../kernels/loopback.ts"
import { checkCluster } from "./check-cluster.ts"
import { readSparkAddress } from "./connect/spark-address.ts"
import { SparkConnection } from "./connect/spark-connection.ts"
import type { SparkSession } from "./session.ts"
import { openSource } from "./source/open-source.ts"
import { TemporaryTables } from "./temporary-tables.ts"

/**
 * Opens a session on a Spark cluster: `sc://HOST:15002`. A cluster on which a release could go wrong is refused before
 * any work. Temporary tables that a lost process of this machine left there are dropped. A token and certificates come
 * from QUERYVEIL_SPARK_TOKEN and QUERYVEIL_SPARK_CA.
 */
export async function openSparkSession(address: string, context: RunContext): Promise<SparkSession> {
  const place = await readSparkAddress(address)
  const { host, port, tls, user, schema } = place
  if (!tls && !isLoopback(host)) context.notify?.({ kind: "warning", text: plainConnection })
  const connection = await SparkConnection.open(place, context)
  const server = `${host}:${port}`
  const tables = new TemporaryTables(connection.uncancelled(), { server, user, schema })
  try {
    await connection.set(settings)
    // First, because jobs of a lost process may still keep every worker busy.
    const kept = await tables.cleanUp()
    if (kept.length > 0) context.notify?.({ kind: "warning", text: keptTables(kept) })
    await checkCluster(connection, place)
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    run: (sql, options) => connection.run(sql, options),
    query: (sql, options) => connection.query(sql, options),
    createView: (name, columns) => connection.createView(name, columns),
    openSource: (name, source) => openSource(connection, name, source),
    temporaryTable: () => tables.add(),
    dropTable: (name) => tables.drop(name),
    async close() {
      try {
        await connection.interrupt()
        await tables.close()
      } catch (error) {
        // What went wrong before must not be hidden by this, nor a release that is complete be called a failure.
        if (!(error instanceof QueryveilError)) throw error
        context.notify?.({ kind: "warning", text: leftTables(tables.names) })
      } finally {
        await connection.close()
      }
    },
  }
}

const keptTables = (names: readonly string[]) =>
  `Spark did not drop temporary tables of an earlier run. They hold rows. Drop them: ${names.join(", ")}.`

const leftTables = (names: readonly string[]) =>
  "Spark could not be asked to drop temporary tables. They hold rows. The next run from this machine drops them: " +
  `${names.join(", ")}.`

const plainConnection =
  "The connection to Spark is not encrypted, and users and queries of the log go over it. " +
  "Add /;use_ssl=true to the address."

const settings = {
  // An error of a cast would quote the value.
  "spark.sql.ansi.enabled": "false",
  "spark.sql.session.timeZone": "UTC",
  // A kernel needs whole users, or whole categories. A local reader would give it those of one machine.
  "spark.sql.adaptive.localShuffleReader.enabled": "false",
  // Rows must not get lost without notice.
  "spark.sql.files.ignoreCorruptFiles": "false",
  "spark.sql.files.ignoreMissingFiles": "false",
}

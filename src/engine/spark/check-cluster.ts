import { QueryveilError } from "../../kernels/error.ts"
import { packageVersion } from "../../release/package-version.ts"
import type { SparkConnection } from "./connect/spark-connection.ts"
import { errorClassOf } from "./connect/spark-error.ts"

const stage = "checking the cluster"
/** Tasks of the check, spread over the workers. */
const tasks = 8
const none = "no queryveil"

interface CheckOptions {
  plainSpill: boolean
  /** The schema of temporary tables, which the owner made private. */
  schema: string | undefined
}

const umask = "spark.hadoop.fs.permissions.umask-mode"

/** Refuses a cluster on which rows could be seen or drawn twice, or which lacks our kernels. Reads no data. */
export async function checkCluster(connection: SparkConnection, options: CheckOptions): Promise<void> {
  const version = await connection.version()
  if (!(Number(version.split(".")[0]) >= 4)) throw refused("It is older than Spark 4.0.")
  const settings = await connection.settings(["spark.speculation", "spark.io.encryption.enabled", umask])
  if (settings.get("spark.speculation") === "true")
    throw refused(
      "It may run a task twice at the same time (spark.speculation), which draws random values twice. Turn it off.",
    )
  if (settings.get("spark.io.encryption.enabled") !== "true" && !options.plainSpill)
    throw refused(
      "It writes rows to its disks in the clear. Set spark.io.encryption.enabled=true. " +
        "If its disks are encrypted in another way, add ;plain_spill=true to the address.",
    )
  if (options.schema === undefined && !/^0*77$/.test(settings.get(umask) ?? ""))
    throw refused(
      `Others could read its temporary tables. Set ${umask}=077. ` +
        "Or make a schema that only you can read, and add ;temporary_schema=NAME to the address.",
    )
  await checkKernels(connection)
}

/** Runs `queryveil --version` at the data. */
async function checkKernels(connection: SparkConnection): Promise<void> {
  const found = await connection
    .rows(
      `SELECT DISTINCT line FROM (
         SELECT TRANSFORM (CAST(id AS STRING)) USING 'cat >/dev/null; queryveil --version 2>/dev/null || echo ${none}'
         AS (line STRING) FROM range(0, ${tasks}, 1, ${tasks}))`,
      stage,
    )
    .catch((error) => {
      const name = errorClassOf(error)
      if (name === undefined) throw error
      throw refused(`It does not run programs at the data: SELECT TRANSFORM ended with ${name}. Allow it.`)
    })
  const versions = found.map(({ line = "" }) => line)
  const own = packageVersion()
  if (versions.includes(none) || versions.length === 0)
    throw refused(`A worker has no queryveil on its PATH. Install Node and queryveil ${own} on all workers.`)
  if (versions.some((version) => version !== own))
    throw refused(`A worker has another version of queryveil. Install queryveil ${own} on all workers.`)
}

const refused = (reason: string) =>
  new QueryveilError("spark-refused", `This cluster cannot be used. ${reason}`, { flag: "--engine" })

import { beforeAll, describe, expect, test } from "vitest"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { commandsOf, needsServer } from "../support/documented-commands.ts"
import { emptyFolder, pageAt, runCommands } from "../support/page-commands.ts"
import { provide } from "../support/page-files.ts"
import { sharedSpark } from "../support/shared-spark.ts"

const why = whyNoSpark()

describe.skipIf(why !== undefined)(`every command of docs/spark.md${why === undefined ? "" : ` (${why})`}`, () => {
  let spark: SparkCluster
  beforeAll(async () => {
    spark = await sharedSpark()
  })

  test("runs", async () => {
    const place = emptyFolder()
    await provide(place, "searches.parquet")
    const commands = commandsOf(pageAt("docs/spark.md")).filter(needsServer)
    expect(commands.length).toBeGreaterThan(2)
    for (const written of commands) {
      const audit = written.startsWith("anonymize") ? " --audit audit" : "" // the page adds it further down
      const command = `${written.replace("sc://127.0.0.1:15002", spark.address)}${audit}`
        // On a cluster the name is that of a file of the cluster.
        .replace("searches.parquet", `${place.folder}/searches.parquet`)
      const { code, told } = await runCommands(`npx queryveil ${command}`, place)
      expect([0, 3], `queryveil ${command}\n${told}`).toContain(code)
    }
  })
})

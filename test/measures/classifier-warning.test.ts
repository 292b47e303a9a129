import { expect, test } from "vitest"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const nobody = "http://127.0.0.1:9"

test("measure says where queries go before a service classifies them, and is silent without a service", async () => {
  const log = write(aolText(["1", "2", "3", "3"].map((user, i) => ({ user, query: "kettle", time: timeAfter(i) }))))
  const folder = fresh()
  await publish(log, folder)
  const measure = (only: string) =>
    runCli(["measure", folder, "--against", log, "--only", only, "--classifier", nobody])
  expect((await measure("topic-loss")).stderr).toMatch(/The text of the queries is sent to http:\/\/127\.0\.0\.1:9/)
  expect((await measure("ncp")).stderr).toBe("")
})

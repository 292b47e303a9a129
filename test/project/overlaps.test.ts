import { join } from "node:path"
import { expect, test } from "vitest"
import { listReleases } from "#dist/app/project/list-releases.js"
import { openProject } from "#dist/project/open-project.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()

test("releases of different logs overlap if their periods do, and not otherwise", async () => {
  const root = at("project")
  const project = await openProject(root)
  const periods = {
    spring: ["2026-03-01", "2026-05-31"],
    may: ["2026-05-15", "2026-06-15"],
    july: ["2026-07-01", "2026-07-31"],
  }
  for (const [i, [name, [first, last]]] of Object.entries(periods).entries()) {
    const log = write(`${aolText(smallTown())}${9000 + i}\tonly here\t2006-03-01 10:00:00\t\t\n`)
    const made = await runCli(["anonymize", "equality", log, "-k", "2", "-o", join(root, "releases", name)])
    expect(made.code).toBe(0)
    await project.record({ kind: "drawn", facts: { release: name, method: "equality", period: { first, last } } })
  }
  const { overlaps } = await listReleases(project)
  expect(overlaps).toEqual([{ releases: ["spring", "may"], why: "same time" }])
  await project.close()
})

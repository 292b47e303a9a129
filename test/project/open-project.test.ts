import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openProject } from "#dist/project/open-project.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh } = scratchFolder()
const purpose = { use: "queries", maxRisk: 0.1, recipient: "a partner" } as const

describe("a project", () => {
  test("is made in a new folder that only its owner can enter", async () => {
    const folder = fresh()
    const project = await openProject(folder)
    await project.close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, "project.json")).mode & 0o777).toBe(0o600)
  })

  test("keeps its settings, and the folders of the log", async () => {
    const folder = fresh()
    const project = await openProject(folder, { folders: [at("")] })
    await project.change({ revision: 0, set: { purpose } })
    await project.close()
    const again = await openProject(folder)
    expect(again.settings).toMatchObject({ revision: 1, purpose, folders: project.settings.folders })
    await again.close()
  })

  test("refuses a change from a caller who saw an earlier state, and stays as it was", async () => {
    const project = await openProject(fresh())
    await project.change({ revision: 0, set: { purpose } })
    const late = project.change({ revision: 0, set: { purpose: { ...purpose, maxRisk: 1 } } })
    await expect(late).rejects.toMatchObject({ code: "project-changed" })
    expect(project.settings.purpose).toEqual(purpose)
    await project.close()
  })

  test("can be open in one process only", async () => {
    const folder = fresh()
    const project = await openProject(folder)
    await expect(openProject(folder)).rejects.toMatchObject({ code: "project-busy" })
    await project.close()
    await (await openProject(folder)).close()
  })

  test.each([
    ["a folder with other files", (folder: string) => writeFileSync(join(folder, "notes.txt"), "x"), "project-missing"],
    [
      "settings that are not JSON",
      (folder: string) => writeFileSync(join(folder, "project.json"), "{"),
      "project-broken",
    ],
    [
      "settings of a newer version",
      (folder: string) => writeFileSync(join(folder, "project.json"), '{"queryveil": 99, "more": true}'),
      "project-newer",
    ],
    [
      "settings with a strange field",
      (folder: string) => writeFileSync(join(folder, "project.json"), '{"queryveil": 1, "more": true}'),
      "project-broken",
    ],
  ])("refuses %s, and changes nothing", async (_what, spoil, code) => {
    const folder = fresh()
    mkdirSync(folder, { recursive: true })
    spoil(folder)
    await expect(openProject(folder)).rejects.toMatchObject({ code })
    expect(existsSync(join(folder, "record.ndjson"))).toBe(false)
  })

  test("refuses a record that was changed by hand, and gives the line", async () => {
    const folder = fresh()
    const project = await openProject(folder)
    await project.record({ kind: "unmasked", facts: { samples: 1 } })
    await project.record({ kind: "unmasked", facts: { samples: 2 } })
    await project.close()
    const file = join(folder, "record.ndjson")
    writeFileSync(file, readFileSync(file, "utf8").replace('"samples":1', '"samples":9'))
    await expect(openProject(folder)).rejects.toMatchObject({ code: "project-broken", fields: { line: 1 } })
  })

  test("is not made inside a release, where it would be published", async () => {
    const release = at("release")
    mkdirSync(release)
    writeFileSync(join(release, "release.json"), "{}")
    await expect(openProject(join(release, "project"))).rejects.toMatchObject({ code: "output-exists" })
  })
})

import { createHash } from "node:crypto"
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { publish, refusal } from "../support/publish.ts"
import { dataFile } from "../support/released-rows.ts"
import { cellsOf } from "../support/tamper.ts"
import { townReleases } from "./town-release.ts"

const { original, fresh, check, change, failing, failures } = townReleases()

describe("the manifest", () => {
  test("a guarantee with a smaller k than the parameters", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.guarantee.k = 2
    })
    expect(failed).toEqual(["manifest"])
  })

  test("a larger k than the release has", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.guarantee.k = 4
      manifest.parameters.k = 4
    })
    expect(failed).toEqual(expect.arrayContaining(["users-release", "users-original"]))
  })

  test("a statement that promises more than the numbers", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.guarantee.statement = "Every released query text was issued by at least 1000 different users of the log."
    })
    expect(failed).toContain("manifest")
  })

  test("a list of what is not covered that was shortened", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.guarantee.notCovered = []
    })
    expect(failed).toContain("manifest")
  })

  test("a method that does not make this guarantee", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.method = "affinity"
    })
    expect(failed).toEqual(["manifest"])
  })

  test.each([
    ["users", "names"],
    ["time", "times"],
    ["urls", "urls"],
  ])("a policy for %s that is unknown, or missing", async (parameter, name) => {
    const unknown = await failures(({ manifest }) => {
      manifest.parameters[parameter] = "any"
    })
    const missing = await failures(({ manifest }) => {
      delete manifest.parameters[parameter]
    })
    expect([unknown, missing]).toEqual([expect.arrayContaining([name]), expect.arrayContaining([name])])
  })

  test("a seed", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.seeded = true
    })
    expect(failed).toEqual(["randomness"])
  })
})

/** Changes the text of a folder's release.json. */
function editManifest(folder: string, edit: (text: string) => string): string {
  const path = join(folder, "release.json")
  writeFileSync(path, edit(readFileSync(path, "utf8")))
  return folder
}

describe("what a release may not have", () => {
  /** Expects that a check fails or the release is refused, never showing text of the log. */
  async function expectCaught(folder: string): Promise<void> {
    const error = await refusal(check(folder))
    if (error === undefined) expect(await failing(folder)).not.toEqual([])
    else expect(error).toMatchObject({ code: "release-broken", message: expect.not.stringContaining(marker) })
  }

  test("rows that its manifest does not count", async () => {
    await expectCaught(
      editManifest(
        change(() => {}),
        (text) => text.replace(/"rows":\d+/, '"rows":0'),
      ),
    )
  })

  test("an extra column in a row", async () => {
    await expectCaught(
      change(({ lines }) => {
        lines[1] += `\t${marker}`
      }),
    )
  })

  test("words in the header of a CSV file", async () => {
    await expectCaught(
      change(({ lines }) => {
        lines[0] = lines[0].replace("Query", marker)
      }, "csv"),
    )
  })

  test("an extra key in a line of JSON", async () => {
    const addKey = (line: string) => JSON.stringify({ ...JSON.parse(line), RealUser: marker })
    await expectCaught(change(({ lines }) => lines.splice(0, lines.length, ...lines.map(addKey)), "jsonl"))
  })

  test("an extra column in a Parquet file", async () => {
    const folder = fresh()
    await publish(original, folder, {}, { to: "parquet" })
    const [path, wide] = [dataFile(folder), fresh()]
    const instance = await DuckDBInstance.create(":memory:")
    const connection = await instance.connect()
    await connection.run(`COPY (SELECT *, '${marker}' AS RealUser FROM '${path}') TO '${wide}' (FORMAT parquet)`)
    connection.closeSync()
    instance.closeSync()
    renameSync(wide, path)
    const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex")
    await expectCaught(editManifest(folder, (text) => text.replace(/[0-9a-f]{64}/, sha256)))
  })

  test("a file that its manifest does not name", async () => {
    const folder = change(() => {})
    copyFileSync(original, join(folder, "original.tsv"))
    await expectCaught(folder)
  })

  test("a user id of the original, though it looks like a random name", async () => {
    const lookalike = "uabcdefghijkl"
    const disguised = smallTown().map((search) => {
      return search.user === `${marker}-user-1` ? { ...search, user: lookalike } : search
    })
    const log = fresh()
    writeFileSync(log, aolText(disguised))
    const folder = change(({ lines }) => {
      const name = cellsOf(lines[1])[0]
      for (const [i, line] of lines.entries()) lines[i] = line.replace(name, lookalike)
    })
    const context = createContext({ workers: 1 })
    const subject = { release: await readRelease(folder), log: (await readLog(log, {}, context)).log }
    const checks = await verify(subject, context)
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(["groups"])
  })
})

describe("files whose digest or row count was not updated", () => {
  test("fail as files, whatever was changed", async () => {
    const folder = change(() => {})
    const path = dataFile(folder)
    writeFileSync(path, readFileSync(path, "utf8").replace("2006-03-01 12:", "2006-03-01 13:"))
    expect(await failing(folder)).toContain("files")
  })

  test("fail as files when the row count is another", async () => {
    const folder = editManifest(
      change(() => {}),
      (text) => text.replace(/"rows":\d+/, '"rows":1'),
    )
    expect(await failing(folder)).toEqual(["files"])
  })
})

describe("a folder that is not a release", () => {
  test.each<[string, (text: string) => string]>([
    ["without JSON in release.json", () => "{"],
    ["of another version", (text) => text.replace('"queryveil":1', '"queryveil":2')],
    ["with a key more", (text) => text.replace("{", '{"withheld":17,')],
    ["with a key less", (text) => text.replace(/"seeded":false,/, "")],
    ["without files", (text) => text.replace(/"files":\[.*?\]/s, '"files":[]')],
    ["with a path that leads elsewhere", (text) => text.replace("log.tsv", "../log.tsv")],
  ])("is refused: %s", async (_name, edit) => {
    const folder = editManifest(
      change(() => {}),
      edit,
    )
    expect(await refusal(readRelease(folder))).toMatchObject({
      code: "release-broken",
      message: expect.stringContaining("release.json"),
    })
  })

  test("is refused: without release.json, or without a folder", async () => {
    const folder = change(() => {})
    renameSync(join(folder, "release.json"), fresh())
    for (const path of [folder, fresh()]) {
      expect(await refusal(readRelease(path))).toMatchObject({ code: "release-missing" })
    }
  })
})

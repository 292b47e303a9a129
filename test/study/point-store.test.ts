import { mkdir, writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { nameFindings } from "#dist/probes/score.js"
import { openPointStore } from "#dist/study/point-store.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const hash = "0123456789abcdef01234567"

test("a point of an earlier version, which has only labels of scores, is computed again", async () => {
  await mkdir(at("points"))
  const store = await openPointStore(at())
  const label = { name: "injection@4", value: 0.5, better: "lower" }
  await writeFile(at("points", `${hash}.json`), JSON.stringify({ point: { k: 2 }, scores: [label] }))
  expect(await store.read(hash)).toBeUndefined()
  const finding = { score: "injection", at: { accounts: 4 }, value: 0.5, better: "lower" } as const
  const result = { point: { k: 2 }, scores: nameFindings({ name: "injection" }, [finding]) }
  await store.write(hash, result)
  expect(await store.read(hash)).toEqual(result)
})

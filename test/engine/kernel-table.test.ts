import { describe, expect, test } from "vitest"
import { kernelTable } from "#dist/engine/spark/kernel-table.js"
import type { SparkSession } from "#dist/engine/spark/session.js"

/** A session in which every query has one row of these numbers. */
function sessionOf(numbers: readonly number[], statements: string[] = []): SparkSession {
  const nothing = async () => {}
  return {
    run: async (sql) => {
      statements.push(sql)
    },
    async *query() {
      yield { rows: 1, names: numbers.map((_, i) => `c${i}`), columns: numbers.map((number) => [number]) }
    },
    createView: nothing,
    openSource: () => Promise.reject(new Error("not here")),
    temporaryTable: async () => "queryveil_tmp_1",
    dropTable: nothing,
    close: nothing,
  }
}

const step = {
  kernel: "scrub",
  options: { kinds: 1 },
  input: "SELECT q FROM queries",
  expected: "SELECT count(*) FROM queries",
  columns: "q STRING, s INT",
  needed: ["q"],
  stage: "scrubbing",
}

describe("a kernel on a cluster", () => {
  test("has done its work if it read and wrote what it should", async () => {
    const statements: string[] = []
    expect(await kernelTable(sessionOf([10, 10, 9, 9, 9], statements), step)).toBe("queryveil_tmp_1")
    expect(statements.join()).toMatch(/USING 'queryveil kernel scrub [\w-]+'/)
  })

  test.each([
    ["read less than there is", [10, 9, 9, 9, 9]],
    ["read a row twice", [10, 11, 11, 11, 11]],
    ["did not end, or lost what it wrote", [10, 10, 10, 9, 9]],
    ["wrote lines that are no answers", [10, 10, 9, 9, 10]],
    ["answered nonsense instead of an answer", [10, 10, 10, 9, 10]],
  ])("is an error if it %s", async (_, numbers) => {
    await expect(kernelTable(sessionOf(numbers), step)).rejects.toMatchObject({ code: "kernel-rows" })
  })
})

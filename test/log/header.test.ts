import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { writeParquet } from "./formats/parquet-files.ts"
import { jsonLines } from "./formats/rows.ts"
import { read, refusal } from "./read.ts"

const { at, write } = scratchFolder()
const marker = "zebramarker"

async function messageOf(text: string, options: Parameters<typeof read>[1] = {}): Promise<string> {
  const error = await refusal(read(write(text), options))
  expect(error).toBeInstanceOf(QueryveilError)
  expect(error).toMatchObject({ code: "input-columns", fields: { flag: "--columns" } })
  return error instanceof Error ? error.message : ""
}

describe("a header without a user", () => {
  const delimiters: [string, string][] = [
    ["commas", ","],
    ["semicolons", ";"],
    ["bars", "|"],
    ["tabs", "\t"],
  ]

  test.each(delimiters)("is refused with its columns and masked examples: %s", async (_name, delimiter) => {
    const rows = [
      ["uuid", "phrase", "when"],
      ["a1b2-333", `${marker} shoes`, "2006-03-01 12:00:00"],
      ["a1b2-444", "hats", "2006-03-01 12:00:05"],
    ]
    const message = await messageOf(rows.map((row) => `${row.join(delimiter)}\n`).join(""))
    expect(message).toContain("uuid (a9a9-999), phrase (aaaa aaaa), when (9999-99-99 99:99:99)")
    expect(message).toContain("--columns user=COLUMN,query=phrase,time=when")
    expect(message).not.toContain(marker)
  })

  test("is refused where rows look like AOL's, too", async () => {
    const message = await messageOf(`session\tphrase\twhen\ns-1\t${marker}\t2006-03-01 12:00:00\n`)
    expect(message).toContain("--unit session --columns user=session,query=phrase,time=when")
  })

  test("is refused if no row follows", async () => {
    expect(await messageOf("session,phrase,when\n")).toContain("session (empty)")
    expect(await messageOf("\n\nsession,phrase,when")).toContain("session (empty)")
  })

  test.each([
    ["two lines of text", `${marker},${marker} flights\nbob,hotels\n`],
    ["one column that is a usual name", `${marker},id,${marker}x\nbob,hotels,today\n`],
    ["a broken first row above good ones", `${marker}\tcheap\tyesterday\n7\thats\t2006-03-01 12:00:00\n`],
    ["an e-mail address", `${marker}@example.org,query,soon\n7,hats,2006-03-01 12:00:00\n`],
    ["one usual name, and a number below", `${marker},order,unknown\nbob,hotels,5\n`],
  ])("that may be text of the log is not shown: %s", async (_name, text) => {
    expect(await messageOf(text)).not.toContain(marker)
  })

  test("of many columns lists some of them", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `column ${"abcdefgh"[i % 8]}${i}`)
    const message = await messageOf(`id,order,${names.join(",")}\n`)
    expect(message).toContain("and 30 more")
    expect(message.split("\n")).toHaveLength(2)
  })

  test("never shows the content of its rows", async () => {
    const cell = fc.string({ unit: fc.constantFrom("q", "Q", "w", "7", "-", " ", "@", ".", "é", "字"), minLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 3 }), async (cells) => {
        const rows = cells.map((text) => `1,${text}\n`).join("")
        const [, list = ""] = /examples: (.*)/.exec(await messageOf(`order,hits\n${rows}`)) ?? []
        expect(list).not.toMatch(/[qQw7é字]/) // none of the characters that the texts consist of
      }),
      { numRuns: 60 },
    )
  })
})

describe("a first line", () => {
  test("with a time is a row; positions are guessed and reported", async () => {
    const { log, intake } = await read(write("12345\tsome query\t2006-03-01 10:00:00\n"))
    expect([log.rows, intake.read]).toEqual([
      1,
      [{ format: "aol", columns: { user: "1", query: "2", time: "3" }, found: "guessed" }],
    ])
    const csv = await read(write("12345,2006-03-01 10:00:00,query\n"))
    expect(csv.intake.read).toEqual([
      { format: "delimited", columns: { user: "1", time: "2", query: "3" }, found: "guessed" },
    ])
  })

  test("of names above rows like AOL's is read by its names", async () => {
    const { log, intake } = await read(write("query\tuser\ttime\nlamp\tann\t2006-03-01 10:00:00\n"))
    expect([log.users.text(0), log.queries.text(0), intake.rejected]).toEqual(["ann", "lamp", {}])
  })

  test("of AOL's names in another order is read by its names", async () => {
    const { log } = await read(write("AnonID\tQueryTime\tQuery\nann\t2006-03-01 10:00:00\tlamp\n"))
    expect([log.users.text(0), log.queries.text(0)]).toEqual(["ann", "lamp"])
  })

  test("that is broken does not make a header of AOL's rows", async () => {
    const { log, intake } = await read(write("7\tlamp\tyesterday\n7\tlamp\t2006-03-01 10:00:00\n"))
    expect([log.rows, intake.rejected, intake.format]).toEqual([1, { time: 1 }, "aol"])
  })

  test("may follow blank lines", async () => {
    const { log, intake } = await read(write("\n\nuser,query,time\nann,lamp,2006-03-01 10:00:00\n"))
    expect([log.rows, log.line[0], intake.rejected]).toEqual([1, 4, {}])
  })

  test.each(["the person@work,what they typed here in this box today,then\n", "foo,foo,bar\n", "foo,bar,baz,more\n"])(
    "without known names is not a row, and column 1 is not taken as the user: %j",
    async (first) => {
      await messageOf(`${first}7,weather,2006-03-01 12:00:00\n8,weather,2006-03-01 12:00:00\n`)
    },
  )

  test("without names above times asks, by positions", async () => {
    const message = await messageOf("foo,bar,baz\n7,weather,2006-03-01 12:00:00\n")
    expect(message).toContain("1 (9), 2 (aaaa), 3 (9999-99-99 99:99:99)")
    expect(message).toContain("--columns user=COLUMN,query=COLUMN,time=3")
    expect(message).not.toContain("foo")
  })

  test("with user ids that could be seconds is still read by where the time is", async () => {
    const { log } = await read(write("123456789,lamp,2006-03-01 10:00:00\n987654321,sofa,2006-03-01 10:00:00\n"))
    expect(log.users.size).toBe(2)
  })
})

describe("--columns", () => {
  const text = "User ID;Phrase;When\nann;lamp;2006-03-01 10:00:00\n"

  test("takes names as they are compared, and says what was read", async () => {
    const { log, intake } = await read(write(text), { columns: "user=user_id,query=PHRASE,time=when" })
    expect([log.users.text(0), intake.read[0]?.found]).toEqual(["ann", "named"])
  })

  test("may name one column, and the others are found by their names", async () => {
    const { log, intake } = await read(write(text.replace("User ID", "uuid")), { columns: "user=uuid" })
    expect([log.users.text(0), intake.read]).toEqual([
      "ann",
      [{ format: "delimited", columns: { user: "uuid", query: "Phrase", time: "When" }, found: "recognised" }],
    ])
  })

  test.each(["user=1,query=1,time=3", "user=User ID,query=1,time=3"])(
    "does not take one column twice: %s",
    async (columns) => {
      expect(await refusal(read(write(text), { columns }))).toMatchObject({ code: "option-value" })
    },
  )

  test("asks for a position where two columns have the name", async () => {
    const twice = "id,id,query,time\na,b,lamp,2006-03-01 10:00:00\n"
    expect(await refusal(read(write(twice), { columns: "user=id" }))).toMatchObject({
      code: "option-value",
      message: expect.stringContaining("2 columns called id"),
    })
    expect((await read(write(twice), { columns: "user=2" })).log.users.text(0)).toBe("b")
  })

  test("does not guess that the query is the column that was named as the user", async () => {
    const error = await refusal(read(write("lamp,2006-03-01 10:00:00,ann\n"), { columns: "user=3" }))
    expect(error).toMatchObject({ code: "input-columns" })
  })
})

describe("the same rule applies to", () => {
  test("members of JSON lines", async () => {
    const record = { session: `${marker}-1`, query: marker, time: "2006-03-01 12:00:00", note: marker }
    const message = await messageOf(jsonLines([record]))
    expect(message).toContain("session (aaaa-9), query (aaaa), time (9999-99-99 99:99:99), note (aaaa)")
    expect(message).toContain("--unit session --columns user=session,query=query,time=time")
    expect(message).not.toContain(marker)
    const { log } = await read(write(jsonLines([record])), { unit: "session" })
    expect(log.rows).toBe(1)
  })

  test("members whose names are text of the log, which are not shown", async () => {
    const message = await messageOf(jsonLines([{ [marker]: "a lamp" }, { bob: "sofas" }]))
    expect(message).toContain("1 (a aaaa)")
    expect(message).not.toContain(marker)
    const mixed = await messageOf(jsonLines([{ id: 1, [marker]: 1 }, { id: 2 }, { id: 3 }]))
    expect(mixed).not.toContain(marker)
  })

  test("members that need quotes, in a flag that works", async () => {
    const record = { "session id": "s", query: "lamp", time: "2006-03-01 12:00:00" }
    expect(await messageOf(jsonLines([record]))).toContain(`--columns 'user=["session id"],query=query,time=time'`)
    const columns = 'user=["session id"],query=query,time=time'
    expect((await read(write(jsonLines([record])), { unit: "session", columns })).log.rows).toBe(1)
  })

  test("columns of Parquet", async () => {
    const path = await writeParquet(
      at("order.parquet"),
      `SELECT '${marker}-12345' AS "Order", '${marker}' AS query, TIMESTAMP '2024-03-01 12:00:00' AS ts`,
    )
    const error = await refusal(read(path))
    expect(error).toMatchObject({
      code: "input-columns",
      message: expect.stringMatching(
        /Order \(aaaa-9999\), query \(aaaa\), ts .*\n.*--columns user=COLUMN,query=query,time=ts/,
      ),
    })
    expect(String(error)).not.toContain(marker)
    const { intake } = await read(path, { columns: "user=order" })
    expect(intake.read).toMatchObject([{ format: "parquet", columns: { user: "order", query: "query", time: "ts" } }])
  })
})

describe("the users are doubted when", () => {
  const rows = (user: (i: number) => string) =>
    `user,query,time\n${Array.from({ length: 6 }, (_, i) => `${user(i)},lamp,2006-03-01 10:00:0${i}\n`).join("")}`

  test("each search has its own user, as if rows were numbered", async () => {
    const { intake } = await read(write(rows(String)))
    expect(intake.doubts).toEqual([expect.stringMatching(/6 searches has its own user.*--columns/)])
  })

  test("all searches have the same user", async () => {
    const { intake } = await read(write(rows(() => "7")))
    expect(intake.doubts).toEqual([expect.stringMatching(/6 searches have the same user/)])
  })

  test("sessions are counted as users", async () => {
    const text = rows((i) => String(i % 2)).replace("user", "session")
    const { intake } = await read(write(text), { columns: "user=session" })
    expect(intake.doubts).toEqual([expect.stringMatching(/name means sessions. Add --unit session/)])
  })

  test("not otherwise", async () => {
    expect((await read(write(rows((i) => String(i % 2))))).intake.doubts).toEqual([])
  })
})

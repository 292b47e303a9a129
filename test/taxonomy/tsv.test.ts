import { gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { escapeName, unescapeName } from "#dist/taxonomy/path.js"
import { taxonomyTsv } from "#dist/taxonomy/taxonomy-tsv.js"
import { makePipe } from "../support/named-pipe.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { expectTree } from "./expect-tree.ts"
import { expectBroken, importFrom, listTopics, readFrom } from "./import-text.ts"

const { write, at } = scratchFolder()

const small = "Arts\t1\tpictures and sounds\nArts/Music\t2\tsongs\nSports\t0.5\t\nArts/Music/Jazz\t4\tswing\n"

describe("a taxonomy TSV", () => {
  test("becomes a tree with supports added up", async () => {
    const tree = await readFrom(write(small))
    expectTree(tree)
    expect(listTopics(tree)).toEqual([":7.5", "Arts:7", "Arts/Music:6", "Arts/Music/Jazz:4", "Sports:0.5"])
    expect([...tree.own]).toEqual([0, 1, 2, 4, 0.5])
    expect([0, 1, 2, 3, 4].map((id) => tree.text(id))).toEqual(["", "pictures and sounds", "songs", "swing", ""])
  })

  test("may have a header, blank lines, CRLF, a byte order mark, gzip, and no last line feed", async () => {
    const plain = listTopics(await readFrom(write(small)))
    const dressed = `\uFEFFpath\tsupport\ttext\r\n\r\n${small.trimEnd().replaceAll("\n", "\r\n")}`
    for (const content of [dressed, gzipSync(small), gzipSync(dressed)])
      expect(listTopics(await readFrom(write(content)))).toEqual(plain)
  })

  test("in several files is one tree", async () => {
    const [first, second] = [write("a\t1\tx\n"), write("a/b\t2\ty\n")]
    expect(listTopics(await readFrom([second, first]))).toEqual([":3", "a:3", "a/b:2"])
    await expectBroken(readFrom([first, second, write("a\t1\t\n", "third.tsv")]), {
      file: at("third.tsv"),
      line: 1,
      says: /"a" was defined before, in .*line 1/,
    })
  })

  test("without any support counts leaves", async () => {
    const tree = await readFrom(write("a\t\t\na/b\t\t\na/c\t0\t\nd\t\t\n"))
    expect(listTopics(tree)).toEqual([":3", "a:2", "a/b:1", "a/c:1", "d:1"])
  })

  test("may describe the root", async () => {
    const tree = await readFrom(write("\t3\teverything\na\t1\t\n"))
    expect([tree.support[0], tree.own[0], tree.text(0)]).toEqual([4, 3, "everything"])
  })

  test("finds exactly the paths that exist", async () => {
    const tree = await readFrom(write(small))
    expect(["", "Arts", "Arts/Music"].map((path) => tree.find(path))).toEqual([0, 1, 2])
    for (const path of ["arts", "/Arts", "Arts/", "Arts//Music", "/", "Music", "Arts/Music/Jazz/x", "Arts/Musi"])
      expect(tree.find(path)).toBe(-1)
  })
})

/** Rows of a tree: the parent of each is the root or an earlier one. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(),
      name: fc.stringMatching(/^[a-cA-C é€😀%~.-]{1,3}$/u).map((name) => name.replace(/^ | $/g, "_")),
      support: fc.oneof(fc.nat(1000), fc.double({ min: 0, max: 1e6, noNaN: true })),
      text: fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\p{Cc}\s]+/gu, " ").trim()),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => {
    const paths: string[] = [""]
    const made = new Map<string, string>()
    for (const { parent, name, support, text } of rows) {
      const above = paths[parent % paths.length] ?? ""
      const path = above === "" ? name : `${above}/${name}`
      if (!made.has(path)) paths.push(path)
      made.set(path, `${path}\t${support}\t${text}`)
    }
    return made
  })

describe("any tree", () => {
  test("keeps the contract, and finds every row by its path", async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (rows) => {
        const tree = await readFrom(write([...rows.values()].join("\n"), "tree.tsv"), { format: "tsv" })
        expectTree(tree)
        expect(tree.size).toBe(rows.size + 1)
        for (const [path, row] of rows) {
          const id = tree.find(path)
          expect(`${tree.path(id)}\t${tree.text(id)}`).toBe(`${path}\t${row.split("\t")[2]}`)
        }
      }),
      { numRuns: 100 },
    )
  })

  test("is the same whatever the order of its rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        trees.chain((rows) =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows.values()], { minLength: rows.size })),
        ),
        async ([rows, shuffled]) => {
          const tree = await readFrom(write([...rows.values()].join("\n"), "tree.tsv"), { format: "tsv" })
          const other = await readFrom(write(shuffled.join("\n"), "other.tsv"), { format: "tsv" })
          expect(other.columns).toEqual(tree.columns)
        },
      ),
      { numRuns: 50 },
    )
  })

  test("is the same after it was written as TSV and read again", async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (rows) => {
        const tree = await readFrom(write([...rows.values()].join("\n"), "tree.tsv"), { format: "tsv" })
        const again = await readFrom(write([...taxonomyTsv(tree)].join("\n"), "again.tsv"), { format: "tsv" })
        expect(again.columns).toEqual(tree.columns)
      }),
      { numRuns: 50 },
    )
  })

  test("with rows for leaves only is complete with --lenient", async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (rows) => {
        const leaves = [...rows].filter(([path]) => ![...rows.keys()].some((other) => other.startsWith(`${path}/`)))
        const { columns, repairs } = await importFrom(write(leaves.map(([, row]) => row).join("\n"), "leaves.tsv"), {
          lenient: true,
        })
        expect(columns.parent.length).toBe(rows.size + 1)
        expect(repairs).toEqual({ encoding: 0, missing: rows.size - leaves.length, duplicate: 0, skipped: 0 })
      }),
      { numRuns: 50 },
    )
  })
})

test("a name with a slash or a per cent sign survives in a path", async () => {
  const names = ["AC/DC", "50%", "%2F", "a%25b", "100 % / 2"]
  const tree = await readFrom(write(names.map((name) => `${escapeName(name)}\t1\t`).join("\n")))
  expect(Array.from({ length: 5 }, (_, i) => tree.name(i + 1)).sort()).toEqual([...names].sort())
  fc.assert(fc.property(fc.string(), (name) => unescapeName(escapeName(name)) === name))
})

describe("a taxonomy TSV is refused, with the line,", () => {
  const deep = (levels: number) =>
    Array.from(
      { length: levels },
      (_, i) =>
        `${Array(i + 1)
          .fill("x")
          .join("/")}\t1\t`,
    ).join("\n")

  test.each([
    ["an orphan", "a\t1\t\nb/c\t1\t\n", 2, /"b" is used here/],
    ["a duplicate", "a\t1\t\nb\t1\t\na\t2\t\n", 3, /"a" was defined before, in line 1/],
    ["two roots", "\t1\t\n\t1\t\na\t1\t\n", 2, /before/],
    ["too few columns", "a\t1\t\nb\t1\n", 2, /2 columns/],
    ["too many columns", "a\t1\tx\ty\n", 1, /4 columns/],
    ["a negative support", "a\t-1\t\n", 1, /"-1" is not a number/],
    ["a support that is not a number", "a\t1\t\nb\tNaN\t\n", 2, /"NaN" is not a number/],
    ["an infinite support", "a\tInfinity\t\n", 1, /not a number/],
    ["a hexadecimal support", "a\t0x10\t\n", 1, /not a number/],
    ["a support out of range", "a\t1e300\t\n", 1, /not a number from 0 to/],
    ["an empty name", "a//b\t1\t\n", 1, /empty name/],
    ["a leading slash", "/a\t1\t\n", 1, /empty name/],
    ["256 levels", deep(256), 256, /more than 255 levels/],
    ["a path of 64 KiB", `${"x".repeat(70_000)}\t1\t\n`, 1, /longer than 64 KiB/],
  ])("for %s", async (_, content, line, says) => {
    const file = write(content)
    await expectBroken(readFrom(file, { format: "tsv" }), { file, line, says })
  })

  test("not for 255 levels", async () => {
    const tree = await readFrom(write(deep(255)))
    expect(tree.depth[255]).toBe(255)
  })

  test.each([
    ["bytes that are not UTF-8", Buffer.from("a\t1\t\nb\xff\t1\t\n", "latin1"), 2, "input-encoding", /not UTF-8/],
    ["a NUL", "a\t1\t\n\nb\0\t1\t\n", 3, "input-encoding", /control character/],
    ["UTF-16", Buffer.from("\uFEFFa\t1\t\n", "utf16le"), 1, "input-encoding", /not UTF-8/],
    ["a line over 1 MiB", `a\t1\t\nb\t1\t${"x".repeat(1 << 20)}\n`, 2, "input-size", /longer than 1 MiB/],
  ] as const)("for %s", async (_, content, line, code, says) => {
    const file = write(content)
    await expectBroken(readFrom(file), { file, line, code, says })
  })

  test.each([
    ["an empty file", ""],
    ["a header alone", "path\tsupport\ttext\n"],
    ["the root alone", "\t1\teverything\n"],
  ])("for %s", async (_, content) => {
    const file = write(content)
    await expectBroken(readFrom(file), { file, code: "input-empty", says: /no topic/ })
  })

  test("for gzip that is cut or damaged", async () => {
    const whole = gzipSync(Buffer.from(small.repeat(1)))
    const cut = write(whole.subarray(0, whole.length - 12))
    await expectBroken(readFrom(cut), { file: cut, code: "input-gzip", says: /too early/ })
    const damaged = Buffer.from(whole)
    damaged[15] = (damaged[15] ?? 0) ^ 0xff
    const file = write(damaged)
    await expectBroken(readFrom(file), { file, code: "input-gzip", says: /gzip data/ })
  })

  test("for a missing file, and for a folder", async () => {
    await expectBroken(readFrom(at("nothing.tsv")), { file: at("nothing.tsv"), code: "input-missing", says: /no such/ })
    await expectBroken(readFrom(at()), { file: at(), code: "input-directory", says: /directory/ })
  })
})

test("--lenient joins duplicates, replaces bad bytes, and counts both", async () => {
  const file = write(Buffer.from("a\t1\tx\na\t2\ty\nb/c\xff\t1\t\nd\x01\t1\t\n", "latin1"))
  const { columns, repairs } = await importFrom(file, { lenient: true })
  expect(repairs).toEqual({ encoding: 2, missing: 1, duplicate: 1, skipped: 0 })
  expect([...columns.own]).toEqual([0, 3, 0, 1, 1])
  const tree = await readFrom(file, { lenient: true })
  expect([tree.text(1), tree.path(3)]).toEqual(["x; y", "b/c\uFFFD"])
})

test("a pipe needs --format, because its start cannot be read twice; the standard input is refused", async () => {
  const pipe = makePipe(at("pipe"))
  await expect(importFrom(pipe)).rejects.toMatchObject({ code: "usage", fields: { flag: "--format" } })
  await expect(importFrom("-", { format: "tsv" })).rejects.toMatchObject({ code: "usage" })
})

test("reading can be interrupted", async () => {
  const controller = new AbortController()
  const context = createContext({ signal: controller.signal, report: () => controller.abort() })
  await expect(openTaxonomy(write(small), {}, context)).rejects.toMatchObject({ code: "interrupted" })
})

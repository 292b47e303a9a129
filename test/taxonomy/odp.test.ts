import { gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { expectTree } from "./expect-tree.ts"
import { expectBroken, importFrom, listTopics, readFrom } from "./import-text.ts"
import { content, rdf, structure } from "./odp-dump.ts"

const { write } = scratchFolder()
const topic = (id: string, inside = "") => `<Topic r:id="Top/${id}">${inside}</Topic>`

describe("a dump of the Open Directory", () => {
  test("becomes a tree of its topics, with the number of pages as support", async () => {
    const tree = await readFrom([write(structure), write(content)])
    expectTree(tree)
    expect(listTopics(tree)).toEqual([":4", "Arts:4", "Arts/Music:3", "Sports:0"])
    expect(tree.text(1)).toBe("Arts; Pictures & sounds été; Painters")
    expect(tree.text(2)).toBe("Music; Jazz; Swing and bebop; Opera")
  })

  test("is read from gzip, and in either order of its files", async () => {
    const plain = await readFrom([write(structure), write(content)])
    const turned = await readFrom([write(gzipSync(content)), write(gzipSync(structure))])
    expect(listTopics(turned)).toEqual(listTopics(plain))
  })

  test("without content counts leaves", async () => {
    expect(listTopics(await readFrom(write(structure)))).toEqual([":2", "Arts:1", "Arts/Music:1", "Sports:1"])
  })

  test("keeps 2,048 bytes of text for a topic", async () => {
    const page = `<ExternalPage><d:Title>${"x".repeat(99)}</d:Title><topic>Top/a</topic></ExternalPage>`
    const tree = await readFrom(write(rdf(topic("a") + page.repeat(100))))
    expect([tree.support[1], tree.text(1).length]).toEqual([100, 20 * 101 - 2])
  })

  test("is the same however it is split into lines", async () => {
    const plain = await readFrom([write(structure), write(content)])
    const oneLine = (text: string) => write(text.replaceAll("\n", " "))
    expect((await readFrom([oneLine(structure), oneLine(content)])).columns).toEqual(plain.columns)
  })

  test("is read across the blocks of a large file", async () => {
    const names = Array.from({ length: 90_000 }, (_, i) => `t${i}`)
    const file = write(
      rdf(`\n${names.map((name) => topic(name, `<d:Title>the title of\n${name}</d:Title>`)).join("\n")}`),
    )
    const tree = await readFrom(file)
    expect(tree.size).toBe(90_001)
    for (const name of names) if (tree.text(tree.find(name)) !== `the title of ${name}`) expect(name).toBe("as written")
    const broken = write(rdf(`\n${names.map((name) => topic(name, "\n")).join("\n")}\n</oops>`))
    await expectBroken(readFrom(broken), {
      file: broken,
      line: 2 + 2 * 90_000,
      says: /<\/oops> where <\/RDF> is expected/,
    })
  })

  test("has only the entities of XML: nothing that a DOCTYPE declares is expanded", async () => {
    const entities = '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">'
    const bomb = `<!DOCTYPE RDF [${entities}\n]>\n${rdf(topic("x", "<d:Title>&b;</d:Title>"))}`
    const file = write(bomb)
    await expectBroken(readFrom(file), { file, line: 3, says: /entity that XML does not define/ })
    const harmless = `<!DOCTYPE RDF SYSTEM "a>b" [<!ENTITY c '>]'>]>${rdf(topic("x"))}`
    expect(listTopics(await readFrom(write(harmless)))).toEqual([":1", "x:1"])
  })
})

describe("a dump is refused, with the line,", () => {
  test.each([
    ["a topic whose parent is not defined", rdf(`${topic("a")}\n${topic("b/c")}`), 2, /"b" is used here/],
    ["a topic given twice", rdf(`${topic("a")}\n${topic("a")}`), 2, /"a" was defined before, in line 1/],
    ["a cycle", rdf(`\n${topic("a")}${topic("a/b", '\n<narrow r:resource="Top/a"/>')}`), 3, /a cycle: .*"Top\/a"/],
    ["a topic below itself", rdf(topic("a", '<narrow2 r:resource="Top/a"/>')), 1, /a cycle/],
    ["a topic without id", rdf("\n<Topic/>"), 2, /without r:id/],
    ["an empty name", rdf(topic("a//b")), 1, /empty name/],
    ["a page without topic", rdf(`${topic("a")}\n<ExternalPage/>`), 2, /without topic/],
    [
      "a page of an unknown topic",
      rdf(`${topic("a")}\n<ExternalPage><topic>Top/b</topic></ExternalPage>`),
      2,
      /"b" is used/,
    ],
    ["an end tag of another element", rdf("<Topic r:id='a'>\n</Topik>"), 2, /<\/Topik> where <\/Topic> is expected/],
    ["an end tag without a start tag", `${rdf(topic("a"))}\n</RDF>`, 2, /closes nothing/],
    ["an element that is not closed", `<RDF>\n${topic("a")}\n`, 3, /ends before <\/RDF>/],
    ["a tag that is not closed", "<RDF>\n<Topic r:id='a'", 2, /ends inside a tag/],
    ["a comment that is not closed", "<RDF>\n<!-- </RDF>", 2, /ends inside/],
    ["a bare &", rdf(topic("a", "\n<d:Title>Rhythm\n& blues</d:Title>")), 3, /bare &/],
    ["an unknown entity", rdf(topic("a", "<d:Title>&nbsp;</d:Title>")), 1, /entity/],
    ["a reference to no character", rdf(topic("a", "<d:Title>&#xD800;</d:Title>")), 1, /entity/],
    ["a bare <", rdf(topic("a", "\n\n<d:Title>a < b</d:Title>")), 3, /does not begin a tag/],
    ["an attribute without quotes", "<RDF>\n<Topic r:id=a/></RDF>", 2, /broken tag/],
    ["an attribute twice", "<RDF>\n<Topic r:id='a' r:id='b'/></RDF>", 2, /attribute r:id twice/],
    ["a second root", `${rdf(topic("a"))}\n<RDF/>`, 2, /second root/],
    ["text after the root", `${rdf(topic("a"))}\nmore`, 2, /outside the root/],
    ["text before the root", "<!-- -->x<RDF/>", 1, /outside the root/],
    ["no element", "<!-- nothing -->", 1, /no XML element/],
    ["another encoding", `<?xml version="1.0" encoding="ISO-8859-1"?>${rdf(topic("a"))}`, 1, /ISO-8859-1/],
    ["elements nested without end", "<a>\n".repeat(100), 65, /nested more than 64/],
    ["a tag without end", `<RDF>\n<Topic r:id="${`${"x".repeat(1000)}\n`.repeat(1500)}`, 2, /longer than 1 MiB/],
  ])("for %s", async (_, text, line, says) => {
    const file = write(text)
    await expectBroken(readFrom(file, { format: "odp" }), { file, line, says })
  })

  test("for bytes that are not UTF-8", async () => {
    const file = write(Buffer.from(rdf(`\n${topic("caf\xe9")}`), "latin1"))
    await expectBroken(readFrom(file), { file, line: 2, code: "input-encoding", says: /--lenient/ })
  })

  test("for having no topic", async () => {
    const file = write(rdf(""))
    await expectBroken(readFrom(file), { file, code: "input-empty", says: /no topic/ })
  })
})

test("--lenient creates missing topics, leaves out pages without one, and replaces bad bytes", async () => {
  const dump = [
    topic("a"),
    topic("a"),
    topic("b/c\xff"),
    topic("b//d"),
    "<ExternalPage/>",
    "<ExternalPage><topic>Top/e/f</topic></ExternalPage>",
    "<ExternalPage><topic>Top/g//</topic></ExternalPage>",
    "<!-- \x02 -->",
  ]
  const file = write(Buffer.from(rdf(dump.join("\n")), "latin1"))
  const { repairs } = await importFrom(file, { lenient: true })
  expect(repairs).toEqual({ encoding: 2, missing: 3, duplicate: 1, skipped: 3 })
  expect(listTopics(await readFrom(file, { lenient: true }))).toEqual([
    ":1",
    "a:0",
    "b:0",
    "b/c\uFFFD:0",
    "e:1",
    "e/f:1",
  ])
})

test("any text in a title survives XML", async () => {
  const asXml = (text: string) =>
    text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`).replace(/\n/g, "&#xA;")
  const texts = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replace(/[\p{Cc}<>]/gu, "\n"))
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const tree = await readFrom(write(rdf(topic("a", `<d:Title>${asXml(text)}</d:Title>`)), "title.rdf"))
      expect(tree.text(1)).toBe(text.replace(/\s+/g, " ").trim())
    }),
    { numRuns: 150 },
  )
})

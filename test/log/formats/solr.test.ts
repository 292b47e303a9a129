import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { bag, rowsOf, seconds } from "./rows.ts"

const { write } = scratchFolder()
const at = "2024-03-01 10:20:30"
const time = seconds("2024-03-01T10:20:30Z")

/** A request as each version writes it. */
const versions: Record<string, (params: string) => string> = {
  "Solr 4": (params) =>
    `INFO  - ${at}.123; org.apache.solr.core.SolrCore; [collection1] ` +
    `webapp=/solr path=/select params={${params}} hits=3 status=0 QTime=5 \n`,
  "Solr 6": (params) =>
    `${at}.123 INFO  (qtp1-17) [   x:search] o.a.s.c.S.Request [search]  ` +
    `webapp=/solr path=/select params={${params}} hits=0 status=0 QTime=0\n`,
  "Solr 8 cloud": (params) =>
    `${at}.123 INFO  (qtp1-17) [c:shop s:shard1 r:core_node2 x:shop_shard1_replica_n1] ` +
    "o.a.s.c.S.Request [shop_shard1_replica_n1]  " +
    `webapp=/solr path=/select params={${params}} rid=host-1 hits=2 status=0 QTime=1\n`,
  "Solr 9": (params) =>
    `${at}.123 INFO  (qtp1-17-null-4) [c:shop s:shard1 r:core_node2 x:shop t:null-4] o.a.s.c.S.Request ` +
    `webapp=/solr path=/select params={${params}} hits=2 status=0 QTime=1\n`,
}

/** A value as Solr writes it: URL-encoded, or with only the characters encoded that separate parameters. */
const encoders: Record<string, (value: string) => string> = {
  whole: (value) => encodeURIComponent(value).replaceAll("%20", "+"),
  partial: (value) => value.replace(/[%&=+]/g, (c) => `%${c.charCodeAt(0).toString(16)}`).replaceAll(" ", "+"),
}

describe.each(Object.keys(versions))("a request log of %s", (version) => {
  const lineOf = versions[version] ?? String

  test("has the q and the user of every request, as they were sent", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "é", "%", "&", "=", "+", "}", "{", " ", '"'),
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, fc.constantFrom("ann", "bob & co")), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("whole", "partial"),
        async (given, how) => {
          const encode = encoders[how] ?? String
          const params = given.map(([q, user]) => `wt=json&q=x${encode(q)}&uid=${encode(user)}&rows=10`)
          const result = await read(write(params.map(lineOf).join("")))
          const wanted = given.map(([q, user]) => ({ user, query: `x${q}`.replace(/ +/g, " ").trim(), time }))
          expect(result.intake.format).toBe("solr")
          expect(bag(rowsOf(result))).toEqual(bag(wanted))
        },
      ),
      { numRuns: 60 },
    )
  })

  test("leaves out Solr's internal requests, requests without q, and all other lines", async () => {
    const lines = [
      lineOf("q=lamp&uid=ann"),
      lineOf("q=lamp&uid=ann&distrib=false&shard.url=http://a/solr/x"),
      lineOf("q=lamp&uid=ann&isShard=true"),
      lineOf("wt=json&indexInfo=false"),
      lineOf("").replace("path=/select", "path=/update"),
      `${at}.124 INFO  (main) [   ] o.a.s.s.CoreContainer Loaded 3 cores\n`,
      "\tat org.apache.solr.Nothing(Nothing.java:7)\n",
      lineOf("q=*:*&uid=ann"),
      lineOf("q={!edismax+qf%3Dtitle}sofa&uid=ann"),
      lineOf("q=first&q=second&uid=ann"),
    ]
    const result = await read(write(lines.join("")))
    expect(
      rowsOf(result)
        .map(({ query }) => query)
        .sort(),
    ).toEqual(["first", "lamp", "sofa"])
    expect(result.intake.rejected).toEqual({ query: 1 })
    expect(result.intake.lines).toBe(lines.length)
  })

  test("has the user where --columns says, and asks when there is none", async () => {
    const path = write(lineOf("q=lamp&shopper=ann&term=sofa"))
    expect(await refusal(read(path))).toMatchObject({
      code: "input-rows",
      message: expect.stringContaining("--columns user=uid"),
    })
    expect(rowsOf(await read(path, { columns: "user=shopper" }))).toMatchObject([{ user: "ann", query: "lamp" }])
    expect(rowsOf(await read(path, { columns: "user=shopper,query=term" }))).toMatchObject([{ query: "sofa" }])
    expect(await refusal(read(path, { columns: "user=shopper,url=x" }))).toMatchObject({ code: "usage" })
  })
})

test("an invalid escape stays as it is, and braces in a text do not end the parameters", async () => {
  const lineOf = versions["Solr 9"] ?? String
  const result = await read(write(lineOf("q=100%25+%zz&uid=a") + lineOf("q=a}b{c&uid=b}")))
  expect(rowsOf(result).map(({ query, user }) => [user, query])).toEqual([
    ["a", "100%25 %zz"],
    ["b}", "a}b{c"],
  ])
})

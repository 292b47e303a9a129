import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { measure } from "#dist/measures/registry.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { MethodOptions } from "#dist/release/method-options.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { choices, searches } from "./random-logs.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const only = ["objects-changed", "member-distance", "unique-suppressed"] as const

async function look(rows: readonly Search[], options: MethodOptions["groups"]) {
  const { log } = await readLog(write(aolText(rows), "log.tsv"), {}, context)
  const draft = await anonymize(log, { method: "groups", ...options }, context)
  const audit = openDraftAudit(draft)
  const subject = { log, release: openDraft(draft), audit }
  return {
    log,
    draft,
    audit,
    released: await subject.release.log(context),
    outcomes: await measure(subject, { only }, context),
  }
}

/** Number of query objects of each user in each pair of cluster and url. */
function countCells(log: SearchLog, clusterOf: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (let row = 0; row < log.rows; row++) {
    if (log.url[row] < 0) continue
    const [user, query] = [log.users.text(log.user[row]), log.queries.text(log.query[row])]
    const key = JSON.stringify([user, clusterOf.get(query), log.urls.text(log.url[row])])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0)

describe("measures of groups", () => {
  test("count what each user gained and lost in each pair of cluster and url", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { log, audit, released, outcomes } = await look(rows, { ...options, scrub: "none", users: "keep" })
        const clusterOf = new Map<string, string>()
        for await (const [query, cluster] of audit.rows("clusters", ["query", "cluster"])) clusterOf.set(query, cluster)
        const [before, after] = [countCells(log, clusterOf), countCells(released, clusterOf)]
        const kept = sum([...before].map(([cell, count]) => Math.min(count, after.get(cell) ?? 0)))
        const values = valuesOf(outcomes)
        expect([values["objects-added"] ?? 0, values["objects-suppressed"] ?? 0]).toEqual([
          sum(after.values()) - kept,
          sum(before.values()) - kept,
        ])
      }),
      { numRuns: 50 },
    )
  })

  test("say how far members were from their centroid, and which groups were filled", async () => {
    const click = (user: string, query: string): Search => {
      return { user, query, time: timeAfter(0), rank: 1, url: `http://${query}` }
    }
    // Three people read the news, one of them also looks at maps. Three are strangers.
    const alike = ["a", "b", "c"].map((user) => click(user, "news"))
    const strangers = ["x", "y", "z"].map((user) => click(user, `own-${user}`))
    const { outcomes, draft } = await look([...alike, click("a", "maps"), ...strangers], {
      ...{ k: 3, minQueryUsers: 1, urls: "keep", scrub: "none" },
    })
    const values = valuesOf(outcomes)
    // Whoever is drawn first, the readers find each other unless a stranger takes some of them.
    expect((values["groups-similar"] ?? 0) + (values["groups-filled"] ?? 0)).toBe(2)
    expect(values["groups-filled"]).toBeGreaterThanOrEqual(1)
    expect(draft.withheld["groups filled with users who share nothing with the centroid"]).toBe(values["groups-filled"])
    expect(draft.withheld["members who share nothing with their centroid"]).toBe(4 * (values["members-far"] ?? 0))
    expect(draft.measured?.["mean distance of members from their centroid"]).toBe(values["member-distance"])
    expect(draft.warnings.join()).toContain("--max-distance")
    const near = await look([...alike, click("a", "maps"), ...strangers], {
      ...{ k: 3, minQueryUsers: 1, urls: "keep", scrub: "none", maxDistance: 0.5 },
    })
    // Of the readers, a is half off. Only they form a group, whoever is its centroid.
    expect(valuesOf(near.outcomes)).toMatchObject({ "groups-similar": 1, "groups-filled": 0, "members-far": 0 })
    expect(near.draft.warnings.join()).not.toContain("--max-distance")
    expect(near.draft.withheld["users with a click who are in no group"]).toBe(3)
  })

  test("give the share of distinct queries and urls of clicks that are missing", async () => {
    const search = (user: number, query: string, site?: string): Search => {
      return {
        user: `${user}`,
        query,
        time: timeAfter(user),
        ...(site === undefined ? {} : { rank: 1, url: `http://${site}` }),
      }
    }
    const rows = [1, 2, 3].map((user) => search(user, "news", "news"))
    const { outcomes } = await look([...rows, search(1, "own", "own"), search(2, "no click")], { k: 3 })
    expect(valuesOf(outcomes)).toMatchObject({ "suppressed-queries": 0.5, "suppressed-urls": 0.5, groups: 1 })
  })

  test("say what they need", async () => {
    const { log } = await readLog(
      write(aolText([{ user: "1", query: "news", time: timeAfter(0) }]), "one.tsv"),
      {},
      context,
    )
    const draft = await anonymize(log, { method: "equality", k: 1 }, context)
    expect(reasonsOf(await measure({ log, release: openDraft(draft) }, { only }, context))).toEqual([
      "the release is not one of groups",
      "the release is not one of groups",
      "the log has no clicks",
    ])
    const grouped = await anonymize(log, { method: "groups", k: 1 }, context)
    const [why] = reasonsOf(await measure({ log, release: openDraft(grouped) }, { only }, context))
    expect(why).toContain("--audit")
  })
})

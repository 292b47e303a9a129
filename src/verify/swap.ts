import { isDeepStrictEqual } from "node:util"
import type { Static } from "#typebox"
import { yieldAndReport } from "../kernels/context.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import type { Guarantee } from "../methods/guarantee.ts"
import { type NameLifetime, nameLifetimes } from "../methods/name-lifetime.ts"
import { guaranteeSwap, type RepeatRule, repeatRules, type swapGuarantee } from "../methods/swap-guarantee.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { gatherEvidence } from "./evidence.ts"
import { countDistinctPairs } from "./pairs.ts"
import { attackersPromise, checkAttackers } from "./swap-attackers.ts"
import {
  cellPromises,
  checkCells,
  checkDistinctTexts,
  checkPool,
  checkRepeats,
  gatherUnits,
  poolPromise,
  type Units,
} from "./swap-cells.ts"
import { checkDealing, dealingPromise } from "./swap-dealing.ts"
import { checkDealingKey, dealingKeyPromise, type FoundCategories } from "./swap-dealing-key.ts"
import { matchRecords, type Records, rowsPromise, type SwapSubject } from "./swap-records.ts"
import { checkCellTimes, checkOwnTimes, timePromises } from "./swap-times.ts"
import { categoriesPromise, checkTopics, topicsPromise } from "./swap-topics.ts"
import { readTrail, trailPromise } from "./swap-trail.ts"
import { checkOwnRecords, checkShownUrls, checkShownUsers, userPromises } from "./swap-users.ts"
import type { Check, Verifier } from "./verifier.ts"
import { checkOriginalUsers } from "./witnesses.ts"

type Promised = Pick<Check, "name" | "promise">

/**
 * Verifies swapping. From the release alone: the guarantee follows from the parameters. With the original and the trail
 * of the audit: every row is that of its line; nobody got their own record back; cells have k + 1 users, with one query
 * of each, of one category, under one time; a χ² test checks that they were dealt as uniform derangements; and each is
 * dealt again under the key of the audit. If times are own or the mode is the paper's, nothing is promised, and what
 * was not promised is not checked.
 */
export const swapVerifier: Verifier = {
  model: "swap",
  async verify(given, context) {
    const { release } = given
    const released = await release.log(context)
    const settings = settingsOf(release)
    const manifest = checkManifest(release, released, settings)
    if (settings === undefined) return [manifest]
    const { guarantee } = release.manifest
    const isPromised = guarantee.model === "swap" && guarantee.promised
    const against = promisesOf(settings, guarantee)
    const evidence = gatherEvidence(given, against)
    if ("instead" in evidence) return [manifest, ...evidence.instead]
    const { log, audit } = evidence
    const subject = { release, released, log }
    const { trail, check } = await readTrail(release, { released, audit }, context)
    if (check.state !== "passed") return [manifest, check, ...notChecked(against.slice(1), "the trail is broken")]
    await yieldAndReport(context, { stage: "verifying", done: 1, total: 4 })
    const { records, check: rows } = matchRecords(subject, { trail, ...settings })
    if (rows.state !== "passed")
      return [manifest, check, rows, ...notChecked(against.slice(2), "the rows are not the log's")]
    await yieldAndReport(context, { stage: "verifying", done: 2, total: 4 })
    const units = settings.mode === "strict" ? gatherUnits(subject, records) : undefined
    const topics = await checkTopics(subject, { records, audit, cellOf: units?.cellOf }, context)
    await yieldAndReport(context, { stage: "verifying", done: 3, total: 4 })
    return [
      manifest,
      check,
      rows,
      checkShownUsers(subject, records),
      checkShownUrls(subject, records),
      checkOwnRecords(subject, records),
      topics.check,
      ...(topics.shown === undefined ? [] : [topics.shown]),
      checkQueryUsers(subject, settings),
      ...(units === undefined
        ? [checkPool(subject, records, settings.k), checkOwnTimes(subject, records)]
        : await checkStrict(subject, { records, units, audit, found: topics.found }, settings)),
      units === undefined || !isPromised
        ? { ...attackersPromise, state: "not promised" }
        : await checkAttackers(subject, { records, units, ...settings, category: topics.found?.category }, context),
    ]
  },
}

interface Settings {
  k: number
  mode: "strict" | "paper"
  repeats: RepeatRule
  /** True if no text leaves twice for one user. */
  once: boolean
  users: NameLifetime
  /** True if the texts of a cell are distinct. Releases of version 0.1 do not say so. */
  distinctTexts: boolean
  ownTimes: boolean
  minQueryUsers: number
  /** True for a period of a live stream. */
  isStream: boolean
  showsCategory: boolean
}

const earlierPromise =
  "promised by version 0.1, whose names can be linked by rare words: release the log again with --users cell"

/** No method accepts a larger k. */
const largestK = 1_000_000

/** The settings of the parameters; undefined if no method accepts them. */
function settingsOf({ manifest }: RowsRelease): Settings | undefined {
  const isStream = manifest.guarantee.model === "swap" && manifest.guarantee.stream !== undefined
  const { k, mode, time, minQueryUsers } = manifest.parameters
  if (mode !== "strict" && mode !== "paper") return undefined
  const { repeats = mode === "strict" ? "once" : "keep" } = manifest.parameters
  const rule = repeatRules.find((known) => known === repeats)
  if (rule === undefined || (rule === "never" && mode === "paper")) return undefined
  if (typeof k !== "number" || !(k >= 2 && k <= largestK) || typeof minQueryUsers !== "number") return undefined
  const users = nameLifetimes.find((known) => known === manifest.parameters.users)
  if (users === undefined) return undefined
  const ownTimes = mode === "paper" || time === "own"
  const { cellTexts = "any" } = manifest.parameters
  if (cellTexts !== "any" && cellTexts !== "distinct") return undefined
  const distinctTexts = mode === "strict" && cellTexts === "distinct"
  const showsCategory = manifest.parameters.category === true
  const once = rule !== "keep"
  return { k, mode, repeats: rule, once, users, distinctTexts, ownTimes, minQueryUsers, showsCategory, isStream }
}

/** Names that a manifest may give for the most successful attacker. */
export const attackerNames = [
  "none",
  "record-linkage-1",
  "record-linkage-2",
  "record-linkage-3",
  "largest-share",
  "intersection",
  "times-and-order",
  "outdated-texts",
  "compared-cells",
  "similar-texts",
  "shared-words",
  "self-trained",
  "member-cells",
]

/**
 * Checks that the guarantee follows from the parameters. Measurements are only checked for plausibility: the attackers
 * run again.
 */
function checkManifest({ manifest }: RowsRelease, released: SearchLog, settings: Settings | undefined): Check {
  const about = { name: "manifest", promise: "the guarantee follows from the parameters" }
  const { method, guarantee } = manifest
  if (settings === undefined || guarantee.model !== "swap" || method !== "swap") return { ...about, state: "failed" }
  const { counted, measured, names, promised, stream } = guarantee
  if (names === undefined) {
    if (promised) return { ...about, state: "failed", detail: earlierPromise }
    return { ...about, state: promisesNothing(guarantee) && guarantee.k === settings.k ? "passed" : "failed" }
  }
  const { attacker, share, named, over, knownSearches = 0 } = measured
  const expected = guaranteeSwap({ ...settings, counted, measured, stream })
  const isSense =
    isHundredths(share) &&
    isHundredths(knownSearches) &&
    named >= 0 &&
    named <= mostNamed(released) &&
    named === Number(named.toPrecision(2)) &&
    attackerNames.includes(attacker) &&
    (over !== true || share > 1 / settings.k - 1e-9)
  return { ...about, state: isSense && isDeepStrictEqual(guarantee, expected) ? "passed" : "failed" }
}

/** Shares are rounded to hundredths, because more digits would say something about the truth. */
const isHundredths = (share: number) =>
  share >= 0 && share <= 1 && Math.abs(share * 100 - Math.round(share * 100)) < 1e-9

/** Version 0.1 used another wording if nothing was promised. It must not look like a promise. */
const promisesNothing = ({ statement, posterior, insider }: Static<typeof swapGuarantee>) =>
  posterior === undefined && insider === undefined && statement.startsWith("Nothing is promised: ")

/**
 * The largest possible number of named searches. The manifest has two digits, so the number may have been rounded up.
 */
const mostNamed = ({ rows }: SearchLog) => Math.max(rows, Number(rows.toPrecision(2)))

/** All promises that are checked with the original and the audit, in the order of the checks. */
function promisesOf(
  { mode, repeats, distinctTexts, ownTimes, showsCategory, isStream }: Settings,
  guarantee: Guarantee,
): Promised[] {
  const { counted } = guarantee
  const attacked = guarantee.model === "swap" && guarantee.promised && mode === "strict" ? [attackersPromise] : []
  const { cells, texts, ...again } = cellPromises(counted)
  const both = [
    trailPromise,
    rowsPromise({ isStream }),
    userPromises.shown,
    userPromises.urls,
    userPromises.own,
    topicsPromise,
    ...(showsCategory ? [categoriesPromise] : []),
    queryUsersPromise(counted),
  ]
  if (mode === "paper") return [...both, poolPromise, timePromises.own]
  const times = timePromises[ownTimes ? "own" : isStream ? "stream" : "cells"]
  const dealings = [dealingPromise, dealingKeyPromise]
  const inCells = distinctTexts ? [cells, texts] : [cells]
  return [...both, ...inCells, times, ...(repeats === "keep" ? [] : [again[repeats]]), ...dealings, ...attacked]
}

const notChecked = (promises: readonly Promised[], detail: string) =>
  promises.map((about): Check => ({ ...about, state: "not checked", detail }))

const queryUsersPromise = (counted: Unit) => ({
  name: "query-users",
  promise: `every released query was issued by as many ${counted}s as the parameters say`,
})

function checkQueryUsers({ release, released, log }: SwapSubject, { minQueryUsers }: Settings): Check {
  const users = countDistinctPairs(log.query, log.user, log.queries.size)
  const ofText = Array.from(
    { length: released.queries.size },
    (_, text) => users[log.queries.findBytes(released.queries.bytes(text))] ?? 0,
  )
  const about = queryUsersPromise(log.unit)
  return checkOriginalUsers(release, released, { k: minQueryUsers, users: ofText, about })
}

async function checkStrict(
  subject: SwapSubject,
  evidence: { records: Records; units: Units; audit: AuditFolder; found: FoundCategories | undefined },
  { k, repeats, distinctTexts, ownTimes, isStream }: Settings,
): Promise<Check[]> {
  const { records, units, audit } = evidence
  const { check, dealing } = checkCells(subject, { records, units, k })
  const dealings =
    dealing === undefined
      ? notChecked([dealingPromise, dealingKeyPromise], "the cells are not dealt as promised")
      : [checkDealing(dealing), await checkDealingKey(subject, { ...evidence, isStream }, audit)]
  return [
    check,
    ...(distinctTexts ? [checkDistinctTexts(subject, records, units)] : []),
    ownTimes ? checkOwnTimes(subject, records) : checkCellTimes(subject, records, { units, isStream }),
    ...(repeats === "keep" ? [] : [checkRepeats(subject, records, { units, repeats })]),
    ...dealings,
  ]
}

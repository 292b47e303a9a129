import { readdir, readFile } from "node:fs/promises"
import { Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import type { Project } from "../../project/open-project.ts"
import { type RecordEntry, readRecord } from "../../project/record-chain.ts"
import { checkSignature, reportPath } from "../../project/signature.ts"
import { readLedger } from "../../release/ledger-file.ts"
import { type Release, readRelease } from "../../release/read-release.ts"
import { readReceipt } from "../../release/receipt.ts"
import { manifestFile } from "../../release/write-release.ts"
import { type ReportSummary, readSummary } from "../../study/report/report-summary.ts"
import { overall } from "../../verify/verifier.ts"
import { releaseFolder } from "./releases.ts"

/** `signed`, and the signature was verified; `changed`: there is a signature, but something does not match it. */
export const signedStates = ["signed", "changed", "refused", "open"] as const

/** A release of a project, with what is known about it. */
export interface RegisteredRelease {
  name: string
  id: string
  method: string
  parameters: Record<string, string | number | boolean>
  made: string
  rows: number
  /** SHA-256 of the files of its log, sorted. */
  logs: string[]
  /** The first and the last time of its log, if it was drawn in the studio. */
  period?: { first: string; last: string }
  state: (typeof signedStates)[number]
  /** Who decided, when and why, from the newest decision. */
  decision?: { name: string; date: string; reason: string }
  /** Why a signature does not match. */
  problem?: string
  summary?: ReportSummary
  handedOut: { to: string; at: string }[]
}

/**
 * `same log`: everybody is in both. `shared files`: the users of the shared files are. `same time`: the logs differ,
 * but their periods overlap, so the same people may be in both.
 */
export const overlapReasons = ["same log", "shared files", "same time"] as const

/** Two releases in which the same people are, or may be. */
interface Overlap {
  releases: [string, string]
  why: (typeof overlapReasons)[number]
}

/** The releases of a project, how they overlap, and what was spent of its budgets. */
export interface Register {
  releases: RegisteredRelease[]
  overlaps: Overlap[]
  ledger: Awaited<ReturnType<typeof readLedger>>["logs"]
  /** Folders among the releases that are none. */
  broken: { name: string; why: string }[]
}

/** Lists the releases in a project, also those that were made there from the command line. */
export async function listReleases(project: Project): Promise<Register> {
  const { entries } = await readRecord(project.paths.record)
  const releases: RegisteredRelease[] = []
  const broken: Register["broken"] = []
  for (const name of await folderNames(project.paths.releases)) {
    try {
      releases.push(await describe(project, name, entries))
    } catch (error) {
      if (!(error instanceof QueryveilError)) throw error
      broken.push({ name, why: error.message })
    }
  }
  releases.sort((a, b) => (a.made < b.made ? -1 : 1))
  const { logs } = await readLedger(project.paths.ledger)
  return { releases, overlaps: findOverlaps(releases), ledger: logs, broken }
}

async function folderNames(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true })
  return found.flatMap((entry) => (entry.isDirectory() && !entry.name.includes(".partial-") ? [entry.name] : []))
}

async function describe(project: Project, name: string, entries: readonly RecordEntry[]): Promise<RegisteredRelease> {
  const folder = releaseFolder(project, name)
  const release = await readRelease(folder)
  const { manifest } = release
  const own = entries.filter(({ facts }) => facts.id === manifest.id)
  const receipt = await readReceipt(folder)
  const page = await readFile(reportPath(folder), "utf8").catch(() => undefined)
  const summary = page === undefined ? undefined : readSummary(page)
  const isAbout = summary !== undefined && summary.manifest === (await digestOf(release))
  const period = periodOf(entries.findLast(({ kind, facts }) => kind === "drawn" && facts.release === name))
  const decided = own.filter(({ kind }) => kind === "signed" || kind === "refused").at(-1)
  return {
    name,
    id: manifest.id,
    method: manifest.method,
    parameters: manifest.parameters,
    made: manifest.created,
    rows: manifest.files.reduce((sum, { rows }) => sum + rows, 0),
    logs: (receipt?.input.files ?? []).map(({ sha256 }) => sha256).sort(),
    ...(period && { period }),
    ...(await stateOf(folder, decided)),
    ...(decided && { decision: decisionOf(decided) }),
    ...(isAbout && { summary }),
    handedOut: own.flatMap(({ kind, at, facts }) => (kind === "handed out" ? [{ to: String(facts.to), at }] : [])),
  }
}

const digestOf = (release: Release) => release.fingerprint(manifestFile)

async function stateOf(
  folder: string,
  decided: RecordEntry | undefined,
): Promise<Pick<RegisteredRelease, "state" | "problem">> {
  const checks = await checkSignature(folder)
  if (checks.length === 0) return { state: decided?.kind === "refused" ? "refused" : "open" }
  if (overall(checks) === "passed") return { state: "signed" }
  const [bad] = checks.filter(({ state }) => state !== "passed")
  return { state: "changed", problem: bad?.detail ?? bad?.promise ?? "" }
}

function periodOf(drawn: RecordEntry | undefined): RegisteredRelease["period"] {
  const period = drawn?.facts.period
  return Value.Check(periodSchema, period) ? period : undefined
}

const periodSchema = Type.Object({ first: Type.String(), last: Type.String() })

function decisionOf({ facts }: RecordEntry): { name: string; date: string; reason: string } {
  const text = (key: string) => String(facts[key] ?? "")
  return { name: text("name"), date: text("date"), reason: text("reason") }
}

function findOverlaps(releases: readonly RegisteredRelease[]): Overlap[] {
  return releases.flatMap((one, i) =>
    releases.slice(i + 1).flatMap((other): Overlap[] => {
      const why = overlapOf(one, other)
      return why === undefined ? [] : [{ releases: [one.name, other.name], why }]
    }),
  )
}

function overlapOf(one: RegisteredRelease, other: RegisteredRelease): Overlap["why"] | undefined {
  const shared = one.logs.filter((log) => other.logs.includes(log)).length
  if (shared > 0) return shared === one.logs.length && shared === other.logs.length ? "same log" : "shared files"
  const [a, b] = [one.period, other.period]
  return a !== undefined && b !== undefined && a.first <= b.last && b.first <= a.last ? "same time" : undefined
}

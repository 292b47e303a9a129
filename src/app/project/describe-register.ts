import type { Project } from "../../project/open-project.ts"
import { type RecordEntry, readRecord } from "../../project/record-chain.ts"
import { fingerprintSigned } from "../../project/signature.ts"
import { balanceOf } from "../../release/budget-ledger.ts"
import { listReleases } from "./list-releases.ts"
import { openPoints } from "./points.ts"
import { releaseFolder } from "./releases.ts"
import type { RegisterView } from "./studio-schema.ts"

/** The register: releases with their decisions, what was spent, and the record of who did what. */
export async function describeRegister(project: Project): Promise<RegisterView> {
  const { releases, overlaps, ledger, broken } = await listReleases(project)
  const { entries } = await readRecord(project.paths.record)
  const described: RegisterView["releases"] = []
  for (const { logs: _, ...release } of releases) {
    const prints = await fingerprintSigned(releaseFolder(project, release.name))
    described.push({
      ...release,
      accept: release.summary === undefined ? [] : await openPoints(project, release.name, release.summary),
      fingerprints: Object.fromEntries(Object.entries(prints).filter(([, value]) => value !== undefined)),
    })
  }
  return {
    releases: described,
    overlaps: overlaps.map(({ releases: [one, other], why }) => ({ releases: [one, other], why })),
    ledger: Object.entries(ledger).map(([log, account]) => ({
      log,
      ...balanceOf(account),
      releases: account.spent.length,
    })),
    broken,
    record: entries.map((entry) => ({ number: entry.number, at: entry.at, says: sayEntry(entry) })).reverse(),
  }
}

/** An entry of the record as a sentence. */
function sayEntry({ kind, facts }: RecordEntry): string {
  const text = (key: string) => String(facts[key] ?? "")
  switch (kind) {
    case "signed":
      return `${text("name")} signed ${text("release")}: ${text("reason")}`
    case "refused":
      return `${text("name")} refused ${text("release")}: ${text("reason")}`
    case "drawn":
      return facts.reason === undefined
        ? `A draw of ${text("release")} with ${text("method")} was begun.`
        : `Another draw, of ${text("release")} with ${text("method")}, was begun, because: ${text("reason")}`
    case "draw interrupted":
      return `The draw of ${text("release")} was interrupted. What it cost stays paid.`
    case "unmasked":
      return `${text("samples")} query texts of few users were shown.`
    case "exempted":
      return `The exemption list was changed: ${text("queries")} queries are on it.`
    case "drafted":
      return `A draft with ${text("method")} was made, which shows texts of the log.`
    case "handed out":
      return `${text("release")} was handed out to ${text("to")}.`
    default:
      return kind
  }
}

import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import {
  auditExempt,
  completeOptions,
  describeRun,
  findMethod,
  type OptionValues,
  scrubbedBefore,
  type TablesDraft,
  warnOfExempt,
} from "../release/anonymize.ts"
import { policyOf, releaseColumns, shownColumns } from "../release/column-policy.ts"
import type { PartsDraft } from "../release/parts-draft.ts"
import { kindsIn } from "../text/identifiers/kinds.ts"
import type { RemoteLog, RemoteTables, TablesRequest } from "./remote-log.ts"

/** `makeDraft` for a remote log: the engine decides, and makes the tables, or later writes the rows. */
export async function makeRemoteDraft(
  remote: RemoteLog,
  { choice, wantsAudit }: { choice: { method: string; preset?: "paper" } & OptionValues; wantsAudit: boolean },
  context: RunContext,
): Promise<PartsDraft | TablesDraft> {
  const { method: name, preset, ...given } = choice
  const method = findMethod(name)
  const parameters = completeOptions(method, given, preset)
  const { kinds, exempt } = scrubbedBefore(method, parameters)
  const request: TablesRequest = { method, parameters, scrub: kindsIn(kinds), exempt: [...exempt], wantsAudit }
  const refused = (why: string) => new QueryveilError("remote-refused", `${name}: ${why}.`)
  const policy = policyOf(parameters)
  const reason = remote.refuse({ ...request, ...(policy && { policy }) })
  if (reason !== undefined) throw refused(`the engine cannot release this: ${reason}`)
  const { head, tail, places } = describeRun(method, parameters, context)
  const paying = { ...context, beforeNoise: async () => context.beforeNoise?.(head.id) }
  const sideOf = ({ exempted, withheld, warnings = [] }: Pick<RemoteTables, "exempted" | "withheld" | "warnings">) => {
    if (exempt.size > 0 && exempted === undefined) throw refused("the engine knows no --scrub-exempt. Leave it out")
    const all = [...warnings, ...warnOfExempt(exempted)]
    return { withheld, places, warnings: all, ...(exempted && { exempted }) }
  }
  if (policy === undefined) {
    const made = await remote.decideTables?.(request, paying)
    if (made === undefined) throw refused("releases tables, which this engine does not make")
    const { guarantee, tables } = made
    const manifest = { ...head, guarantee, ...tail }
    return { kind: "tables", manifest, tables, audit: auditExempt(exempt), ...sideOf(made) }
  }
  const decision = await remote.decide({ ...request, policy }, paying)
  const columns = shownColumns(policy).map((column) => releaseColumns[column])
  const { guarantee, audit, measured, seeded = false, writeParts } = decision
  return {
    kind: "parts",
    manifest: { ...head, guarantee, columns, ...tail, seeded: tail.seeded || seeded },
    audit: { ...audit, ...auditExempt(exempt) },
    ...sideOf(decision),
    ...(measured && { measured }),
    writeParts,
  }
}

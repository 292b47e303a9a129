import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import {
  auditExempt,
  completeOptions,
  describeRun,
  findMethod,
  type OptionValues,
  scrubbedBefore,
  warnOfExempt,
} from "../release/anonymize.ts"
import { policyOf, releaseColumns, shownColumns } from "../release/column-policy.ts"
import type { PartsDraft } from "../release/parts-draft.ts"
import { kindsIn } from "../text/identifiers/kinds.ts"
import type { RemoteLog, RemoteRequest } from "./remote-log.ts"

/** `makeDraft` for a remote log: the engine decides, and later writes the rows. */
export async function makeRemoteDraft(
  remote: RemoteLog,
  options: { method: string; preset?: "paper" } & OptionValues,
  context: RunContext,
): Promise<PartsDraft> {
  const { method: name, preset, ...given } = options
  const method = findMethod(name)
  const parameters = completeOptions(method, given, preset)
  const policy = policyOf(parameters)
  if (policy === undefined)
    throw new QueryveilError("remote-refused", `${name}: releases tables, which engines do not make yet.`)
  const { kinds, exempt } = scrubbedBefore(method, parameters)
  const request: RemoteRequest = { method, parameters, policy, scrub: kindsIn(kinds), exempt: [...exempt] }
  const reason = remote.refuse(request)
  if (reason !== undefined)
    throw new QueryveilError("remote-refused", `${name}: the engine cannot release this: ${reason}.`)
  const { head, tail, places } = describeRun(method, parameters, context)
  const decision = await remote.decide(request, {
    ...context,
    beforeNoise: async () => context.beforeNoise?.(head.id),
  })
  const columns = shownColumns(policy).map((column) => releaseColumns[column])
  const { guarantee, withheld, audit, warnings = [], measured, exempted, writeParts } = decision
  if (exempt.size > 0 && exempted === undefined)
    throw new QueryveilError("remote-refused", `${name}: the engine knows no --scrub-exempt. Leave it out.`)
  return {
    kind: "parts",
    manifest: { ...head, guarantee, columns, ...tail },
    withheld,
    audit: { ...audit, ...auditExempt(exempt) },
    places,
    warnings: [...warnings, ...warnOfExempt(exempted)],
    ...(measured && { measured }),
    ...(exempted && { exempted }),
    writeParts,
  }
}

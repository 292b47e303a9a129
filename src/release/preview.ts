import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Preview } from "../methods/method.ts"
import { completeOptions, definedOf, findMethod, type OptionValues, scrubbedBefore } from "./anonymize.ts"
import type { MethodChoice, MethodName } from "./method-options.ts"
import { scrubLog } from "./scrub.ts"

/** What releases by a method would contain, computed on the log that the method would get. Private. */
export async function previewRelease<M extends MethodName>(
  log: SearchLog,
  choice: MethodChoice<M>,
  context: RunContext = createContext(),
): Promise<Preview> {
  const { method, preset, ...given } = choice
  return previewAny(log, { ...definedOf(given), method, ...(preset && { preset }) }, context)
}

/** `previewRelease` for a method whose name is known only at run time. */
export async function previewAny(
  log: SearchLog,
  options: { method: string; preset?: "paper" } & OptionValues,
  context: RunContext,
): Promise<Preview> {
  const { method: name, preset, ...given } = options
  const method = findMethod(name)
  if (method.preview === undefined) throw new QueryveilError("unknown-name", `${name} has nothing to plan.`)
  const parameters = completeOptions(method, given, preset)
  const scrubbed = await scrubLog(log, scrubbedBefore(method, parameters), context)
  return method.preview(scrubbed.log, parameters, context)
}

import { createContext, type RunContext } from "../kernels/context.ts"
import type { Preview } from "../methods/method.ts"
import { completeOptions, definedOf, findMethod, type OptionValues } from "../release/anonymize.ts"
import type { MethodChoice, MethodName } from "../release/method-options.ts"
import { previewAny } from "../release/preview.ts"
import { listWarnings, openLog } from "./open-log.ts"
import { checkOptions, type LogOptions, logOptions } from "./options.ts"

/** What releases of a log would contain. Private: it is computed from the log. */
export interface Planned extends Preview {
  warnings: string[]
}

/** Shows what releases of a log with different options would contain, as `queryveil plan` does. Releases nothing. */
export function planRelease<M extends MethodName>(
  log: string | readonly string[],
  choice: MethodChoice<M>,
  options: LogOptions = {},
  context: RunContext = createContext(),
): Promise<Planned> {
  const { method, preset, ...given } = choice
  return planAny(log, { ...definedOf(given), method, ...(preset && { preset }) }, options, context)
}

/** `planRelease` for a method whose name is known only at run time. */
export async function planAny(
  log: string | readonly string[],
  choice: { method: string; preset?: "paper" } & OptionValues,
  options: LogOptions,
  given: RunContext,
): Promise<Planned> {
  const reading = checkOptions("planRelease", logOptions, options)
  const { method, preset, ...values } = choice
  completeOptions(findMethod(method), values, preset) // refuses impossible options before the log is read
  const { context, warnings } = listWarnings(given)
  const read = await openLog(log, reading, context)
  return { ...(await previewAny(read.log, choice, context)), warnings }
}

import type { LineChoice } from "../inputs/line-format.ts"
import type { LiveInput } from "../inputs/live-input.ts"
import type { StreamOutput } from "../live/transport.ts"
import { findEndpoint } from "./find-endpoint.ts"
import type { InputContext, OutputContext } from "./transport.ts"

const anyLines: LineChoice = {
  format: "auto",
  columns: undefined,
  jsonPath: undefined,
  unit: "user",
  encoding: undefined,
}
const silent = { warn: () => {}, note: () => {} }

/**
 * Opens the input at a place, written as for `stream run --input`: `-`, a file, `tcp://HOST:PORT`, `unix:PATH` or a
 * registered scheme.
 */
export function openInput(place: string, context: Partial<InputContext> = {}): LiveInput {
  const { name, input } = findEndpoint(place, { flag: "input", as: "input" })
  if (input === undefined) throw new Error("findEndpoint returned an endpoint without an input")
  return input({ ...silent, choice: anyLines, follow: false, namesInUse: [name], ...context })
}

/** Opens the output at a place, written as for `stream run --output`. */
export function openOutput(place: string, context: Partial<OutputContext> = {}): StreamOutput {
  const { output } = findEndpoint(place, { flag: "output", as: "output" })
  if (output === undefined) throw new Error("findEndpoint returned an endpoint without an output")
  return output({ ...silent, force: false, onFull: () => {}, ...context })
}

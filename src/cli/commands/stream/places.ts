import { QueryveilError } from "../../../kernels/error.ts"
import { isLoopback } from "../../../kernels/loopback.ts"
import { publishedPath } from "../../../release/publish-profiles.ts"
import { readToken } from "../../../server/frame/tokens.ts"
import { HttpEndpoint } from "../../../server/http/http-endpoint.ts"
import { parseOrigin } from "../../../server/http/origins.ts"
import { parseHost } from "../../../stream/address.ts"
import type { LineChoice } from "../../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../../stream/inputs/live-input.ts"
import type { OutputFormat } from "../../../stream/live/options.ts"
import type { StreamOutput } from "../../../stream/live/transport.ts"
import { findEndpoint } from "../../../stream/transports/find-endpoint.ts"
import type { SchemeEndpoint, TransportMessages } from "../../../stream/transports/transport.ts"
import type { Given } from "../../flags.ts"
import type { runFlags } from "./flags.ts"
import { lineChoiceOf } from "./line-choice.ts"

export type RunFlags = Given<typeof runFlags>

/** The meaning of the command line, checked before anything is opened. */
export interface Plan {
  inputs: SchemeEndpoint[]
  output: SchemeEndpoint
  httpEndpoint: HttpEndpoint
  to: OutputFormat
  choice: LineChoice
  http: { host: string; port: number }
  origins: string[]
  admin: { host: string; port: number } | undefined
}

export function planRun(flags: RunFlags): Plan {
  const httpEndpoint = new HttpEndpoint({ retain: flags.retain ?? 256 << 20 })
  const more = [httpEndpoint.transport]
  const inputs = (flags.input ?? ["-"]).map((text) => findEndpoint(text, { flag: "--input", as: "input", more }))
  const output = findEndpoint(flags.output ?? "-", { flag: "--output", as: "output", more })
  if (new Set(inputs.map(({ name }) => name)).size < inputs.length)
    throw new QueryveilError("usage", "--input: a place is named twice. Name each once.", { flag: "--input" })
  refuseLoops(inputs, output)
  if (flags.follow && !inputs.some(({ scheme }) => scheme === "file"))
    throw new QueryveilError("usage", "--follow needs a file as --input.", { flag: "--follow" })
  const only = output.scheme === "http" ? "jsonl" : output.to
  if (only !== undefined && flags.to !== undefined && flags.to !== only)
    throw new QueryveilError("usage", `--output ${output.scheme} gives NDJSON. Leave out --to ${flags.to}.`, {
      flag: "--to",
    })
  // commander passes `--no-admin` as `--admin` with the value false.
  const { admin = "127.0.0.1:7777" }: { admin?: string | boolean } = flags
  return {
    inputs,
    output,
    httpEndpoint,
    to: only ?? flags.to ?? (output.scheme === "kafka" ? "jsonl" : "tsv"),
    choice: lineChoiceOf(flags),
    http: parseHost(flags.http ?? "127.0.0.1:8080", "--http"),
    origins: (flags.allowOrigin ?? []).map(parseOrigin),
    admin: typeof admin === "string" && flags.noAdmin !== true ? parseHost(admin, "--admin") : undefined,
  }
}

/** Refuses a place that the stream would both read and write, and one for releases and for anything else. */
function refuseLoops(inputs: readonly SchemeEndpoint[], output: SchemeEndpoint): void {
  const read = inputs.map(({ name }) => name)
  const aside = inputs.flatMap(({ alsoWrites = [] }) => alsoWrites)
  if (output.isOneWay && read.includes(output.name))
    throw new QueryveilError("usage", `--output ${output.name} is also an --input. Give another place.`, {
      flag: "--output",
    })
  const other = aside.find((name) => name === output.name || read.includes(name))
  if (other !== undefined)
    throw new QueryveilError("usage", `--input: dead letters would go to ${other}, which is also read or released.`, {
      flag: "--input",
    })
}

/**
 * Opens the inputs and the output of a run. If there is an HTTP server, it answers before the stream is opened, because
 * opening may wait for readers.
 */
export async function openPlaces(
  plan: Plan,
  flags: RunFlags,
  { store, adminToken, warn, note }: TransportMessages & { store: string; adminToken: string | undefined },
): Promise<{ output: StreamOutput; inputs: LiveInput[] }> {
  const { choice, httpEndpoint } = plan
  const onFull = (full: boolean) =>
    warn(full ? "The disk of the output is full. The stream waits until there is room." : "There is room again.")
  const namesInUse = plan.inputs.map(({ name }) => name)
  const context = { choice, follow: flags.follow ?? false, folder: store, namesInUse, warn, note }
  const inputs = plan.inputs.flatMap((place) => place.input?.(context) ?? [])
  const output = plan.output.output?.({ force: flags.force ?? false, folder: store, onFull, warn, note })
  if (output === undefined) throw new Error("the output is checked by findEndpoint")
  await httpEndpoint.listen({
    ...choice,
    ...plan.http,
    ...(flags.maxBody === undefined ? {} : { maxBody: flags.maxBody }),
    origins: plan.origins,
    ingestToken: await tokenOf(flags.ingestTokenFile, "--ingest-token-file"),
    subscribeTokens: await subscribeTokens(plan, flags, adminToken),
    profiles: publishedPath(store),
    note,
  })
  return { output, inputs }
}

const tokenOf = async (path: string | undefined, flag: string) =>
  path === undefined ? undefined : readToken(path, flag)

/** The tokens for subscribers. Beyond this machine a token is always required. */
async function subscribeTokens(plan: Plan, flags: RunFlags, adminToken: string | undefined): Promise<string[]> {
  const own = await tokenOf(flags.subscribeTokenFile, "--subscribe-token-file")
  const isOpen = own === undefined && isLoopback(plan.http.host)
  if (isOpen) return []
  const tokens = [own, adminToken].filter((token) => token !== undefined)
  if (tokens.length > 0 || plan.output.scheme !== "http") return tokens
  throw new QueryveilError(
    "usage",
    "--output http beyond loopback needs a token. Give --subscribe-token-file, or --admin, which makes one.",
    {
      flag: "--subscribe-token-file",
    },
  )
}

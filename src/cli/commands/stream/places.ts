import { join } from "node:path"
import { QueryveilError } from "../../../kernels/error.ts"
import { checkEncoding } from "../../../log/decode.ts"
import { parseColumns } from "../../../log/formats/columns.ts"
import { jsonPathReader } from "../../../log/formats/json-path.ts"
import { publishedPath } from "../../../release/publish-profiles.ts"
import type { HttpServer } from "../../../server/http/http-server.ts"
import { parseOrigin } from "../../../server/http/origins.ts"
import { readToken } from "../../../server/http/tokens.ts"
import { Subscription } from "../../../server/subscription/subscription.ts"
import { describeAddress, isLoopback, type Place, parseHost, parsePlace, urlOf } from "../../../stream/address.ts"
import { fileInput } from "../../../stream/inputs/file-input.ts"
import { checkStreamEncoding, type LineChoice } from "../../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../../stream/inputs/live-input.ts"
import { socketInput } from "../../../stream/inputs/socket-input.ts"
import { stdinInput } from "../../../stream/inputs/stdin-input.ts"
import type { OutputFormat } from "../../../stream/live/options.ts"
import type { StreamOutput } from "../../../stream/live/transport.ts"
import { fileOutput } from "../../../stream/outputs/file-output.ts"
import { socketOutput } from "../../../stream/outputs/socket-output.ts"
import { stdoutOutput } from "../../../stream/outputs/stdout-output.ts"
import type { Given } from "../../flags.ts"
import type { runFlags } from "./flags.ts"

export type RunFlags = Given<typeof runFlags>

/** What the words of the command line mean, checked before anything is opened. */
export interface Plan {
  inputs: Place[]
  output: Place
  to: OutputFormat
  choice: LineChoice
  http: { host: string; port: number }
  origins: string[]
  admin: { host: string; port: number } | undefined
}

export function planRun(flags: RunFlags): Plan {
  const inputs = (flags.input ?? ["-"]).map((text) => parsePlace(text, "--input"))
  const output = parsePlace(flags.output ?? "-", "--output")
  if (inputs.length > 1 && inputs.some(({ kind }) => kind === "file")) {
    throw new QueryveilError(
      "usage",
      "--input: a file is read alone, so that it can be taken up again where it was left.",
      {
        flag: "--input",
      },
    )
  }
  if (flags.follow && inputs[0]?.kind !== "file")
    throw new QueryveilError("usage", "--follow goes with a file as --input.", { flag: "--follow" })
  if (output.kind === "http" && flags.to === "tsv")
    throw new QueryveilError("usage", "--output http gives NDJSON. Leave out --to tsv.", { flag: "--to" })
  // `--no-admin` arrives as the value false of `--admin`.
  const { admin = "127.0.0.1:7777" }: { admin?: string | boolean } = flags
  return {
    inputs,
    output,
    to: output.kind === "http" ? "jsonl" : (flags.to ?? "tsv"),
    choice: lineChoice(flags),
    http: parseHost(flags.http ?? "127.0.0.1:8080", "--http"),
    origins: (flags.allowOrigin ?? []).map(parseOrigin),
    admin: typeof admin === "string" && flags.noAdmin !== true ? parseHost(admin, "--admin") : undefined,
  }
}

function lineChoice({ format = "auto", columns, jsonPath, unit = "user", encoding }: RunFlags): LineChoice {
  if (encoding !== undefined) {
    checkEncoding(encoding)
    checkStreamEncoding(encoding)
  }
  if (jsonPath !== undefined) jsonPathReader(jsonPath, "--json-path")
  if (format === "parquet")
    throw new QueryveilError("usage", "--format parquet cannot be read line by line. Convert it to NDJSON first.", {
      flag: "--format",
    })
  return { format, columns: columns === undefined ? undefined : parseColumns(columns), jsonPath, unit, encoding }
}

export interface Speech {
  warn(text: string): void
  /** What an operator wants to know and no script: addresses. */
  note(text: string): void
}

/** The output, and the HTTP server where there is one: it must answer before the stream is opened, which may wait for readers. */
export async function openPlaces(
  plan: Plan,
  flags: RunFlags,
  { store, adminToken, warn, note }: Speech & { store: string; adminToken: string | undefined },
): Promise<{ output: StreamOutput; inputs: LiveInput[]; server: HttpServer | undefined; release(): void }> {
  const onFull = (full: boolean) =>
    warn(full ? "The disk of the output is full. The stream waits until there is room." : "There is room again.")
  const subscription =
    plan.output.kind === "http"
      ? new Subscription({ folder: join(store, "output"), retain: flags.retain ?? 256 << 20, onFull })
      : undefined
  const takes = plan.inputs.some(({ kind }) => kind === "http")
  let server: HttpServer | undefined
  if (takes || subscription !== undefined) {
    const { httpServer } = await import("../../../server/http/http-server.ts")
    server = httpServer({
      ...plan.choice,
      ...plan.http,
      ...(flags.maxBody === undefined ? {} : { maxBody: flags.maxBody }),
      origins: plan.origins,
      ingestToken: await tokenOf(flags.ingestTokenFile, "--ingest-token-file"),
      takes,
      ...(subscription === undefined ? {} : { subscription }),
      subscribeTokens: await subscribeTokens(plan, flags, adminToken),
      profiles: publishedPath(store),
    })
    note(`listening on ${urlOf(await server.listen())}`)
  }
  const inputs = plan.inputs.map((place) => inputAt(place, { plan, flags, warn, note, server, store }))
  const output = subscription ?? outputAt(plan.output, { force: flags.force ?? false, warn, onFull })
  return { output, inputs, server, release: () => subscription?.release() }
}

function inputAt(
  place: Place,
  options: Speech & { plan: Plan; flags: RunFlags; server: HttpServer | undefined; store: string },
): LiveInput {
  const { plan, flags, warn, note, server, store } = options
  if (place.kind === "standard") return stdinInput({ ...plan.choice, note })
  if (place.kind === "file")
    return fileInput({ ...plan.choice, path: place.path, follow: flags.follow ?? false, folder: store, warn, note })
  if (place.kind === "http") {
    if (server === undefined) throw new Error("no server was opened")
    return server.input
  }
  const onListening = (address: typeof place) => note(`listening on ${describeAddress(address)}`)
  return socketInput({ ...plan.choice, address: place, onListening, warn })
}

function outputAt(
  place: Place,
  { force, warn, onFull }: { force: boolean; warn(text: string): void; onFull(full: boolean): void },
): StreamOutput {
  if (place.kind === "file") return fileOutput(place.path, { force, onFull })
  if (place.kind === "tcp" || place.kind === "unix") return socketOutput(place, { warn })
  return stdoutOutput()
}

const tokenOf = async (path: string | undefined, flag: string) =>
  path === undefined ? undefined : readToken(path, flag)

/** Beyond this machine a token is always asked for. */
async function subscribeTokens(plan: Plan, flags: RunFlags, adminToken: string | undefined): Promise<string[]> {
  const own = await tokenOf(flags.subscribeTokenFile, "--subscribe-token-file")
  const isOpen = own === undefined && isLoopback(plan.http.host)
  if (isOpen) return []
  const tokens = [own, adminToken].filter((token) => token !== undefined)
  if (tokens.length > 0 || plan.output.kind !== "http") return tokens
  throw new QueryveilError(
    "usage",
    "--output http beyond loopback needs --subscribe-token-file (or --admin, whose token will do).",
    {
      flag: "--subscribe-token-file",
    },
  )
}

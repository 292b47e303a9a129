import { QueryveilError } from "../../kernels/error.ts"
import { Registry } from "../../kernels/registry.ts"
import { splitScheme } from "../../kernels/scheme.ts"
import { builtInTransports, standardStreams } from "./built-in.ts"
import type { Endpoint, SchemeEndpoint, Transport } from "./transport.ts"

/** The name `http` is reserved for the server: a command that runs a server adds that transport itself. */
const registry = new Registry<Transport>("transport", [...builtInTransports.map(({ name }) => name), "http"])
const transports = registry.complete(builtInTransports)

/** Adds a transport. Endpoints of its scheme are then inputs and outputs like the built-in ones. */
export function registerTransport(transport: Transport): void {
  registry.add(transport)
}

/** The option that names a place, its direction, and the transports that only this run has. */
export interface EndpointUse {
  flag: string
  as: "input" | "output"
  more?: readonly Transport[]
}

/** Resolves the text to a place: `-`, a scheme with its rest, or else a file. Refuses an unregistered scheme. */
export function findEndpoint(text: string, { flag, as, more = [] }: EndpointUse): SchemeEndpoint {
  const known = [...transports, ...more]
  const place = text === "-" ? { scheme: "-", ...standardStreams } : findAmong(known, text, flag)
  if (place[as] !== undefined) return place
  throw new QueryveilError("option-value", `${flag} ${text}: this scheme cannot be an ${as}.`, { flag })
}

function findAmong(known: readonly Transport[], text: string, flag: string): { scheme: string } & Endpoint {
  const alone = known.find(({ name, allowsBareScheme }) => allowsBareScheme === true && name === text.toLowerCase())
  const { scheme, rest } =
    alone === undefined ? (splitScheme(text) ?? { scheme: "file", rest: text }) : { scheme: alone.name, rest: "" }
  const transport = known.find(({ name }) => name === scheme)
  if (transport !== undefined) return { scheme, ...transport.find(rest, flag) }
  const forms = [...new Set(["-", ...known.map(({ form }) => form)])]
  throw new QueryveilError(
    "option-value",
    [
      `${flag} ${text}: unknown scheme ${scheme}:.`,
      `Give ${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}. For a file of this name, give ./${text}.`,
    ].join(" "),
    { flag },
  )
}

import { readFile } from "node:fs/promises"
import { QueryveilError } from "../../../kernels/error.ts"
import { isLoopback } from "../../../kernels/loopback.ts"

/** Where a Spark Connect server listens, and how the connection is secured. */
export interface SparkAddress {
  host: string
  port: number
  /** Encrypts the connection. */
  tls: boolean
  /** The name under which the cluster knows this client. */
  user: string
  /** True if the cluster may spill rows to its disks without Spark's own encryption. */
  plainSpill: boolean
  /** The schema of temporary tables. */
  schema: string | undefined
  /** Sent with every call. From the environment, so that no list of processes shows it. */
  token: string | undefined
  /** Certificates that are trusted instead of the system's. */
  authority: Buffer | undefined
}

const defaultPort = 15002

/** Reads an address such as `sc://HOST:15002/;use_ssl=true`, and the token and certificates from the environment. */
export async function readSparkAddress(
  address: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SparkAddress> {
  const parts = /^sc:\/\/(\[[0-9a-f:.]+\]|[^\s/:;[\]@?#]+)(?::(\d{1,5}))?(?:\/((?:;[^\s;=]+=[^\s;=]*)*);?)?$/i.exec(
    address,
  )
  const [, host, port = defaultPort, list = ""] = parts ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65535)
    throw wrong("The address is not understood. Example: sc://HOST:15002 or sc://HOST:443/;use_ssl=true.")
  const options = new Map(
    list
      .split(";")
      .filter(Boolean)
      .map((pair) => {
        const [name = "", value = ""] = pair.split("=")
        return [name, value] as const
      }),
  )
  if (options.has("token"))
    throw wrong("A token in an address is seen by everybody on this machine. Set QUERYVEIL_SPARK_TOKEN instead.")
  const unknown = [...options.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw wrong(`The address has an unknown option. Known options: ${known.join(", ")}.`)
  const token = env.QUERYVEIL_SPARK_TOKEN || undefined
  const tls = booleanOf(options.get("use_ssl"), { name: "use_ssl", default: token !== undefined && !isLoopback(host) })
  if (token !== undefined && !tls && !isLoopback(host))
    throw wrong("A token is sent over TLS only. Leave out use_ssl=false.")
  const file = env.QUERYVEIL_SPARK_CA || undefined
  return {
    host,
    port: Number(port),
    tls,
    user: options.get("user_id") || "queryveil",
    plainSpill: booleanOf(options.get("plain_spill"), { name: "plain_spill", default: false }),
    schema: readSchema(options.get("temporary_schema")),
    token,
    authority: file === undefined ? undefined : await readAuthority(file),
  }
}

const known = ["use_ssl", "user_id", "plain_spill", "temporary_schema"]

function readSchema(name: string | undefined): string | undefined {
  if (name === undefined || name === "" || /^\w+(\.\w+)*$/.test(name)) return name || undefined
  throw wrong("temporary_schema of the address is a name such as catalog.schema.")
}

function booleanOf(text: string | undefined, { name, default: unset }: { name: string; default: boolean }): boolean {
  if (text === undefined) return unset
  if (text === "true" || text === "false") return text === "true"
  throw wrong(`${name} of the address is true or false.`)
}

async function readAuthority(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw new QueryveilError("input-missing", "The certificates that QUERYVEIL_SPARK_CA names cannot be read.", {
      file,
      cause,
    })
  }
}

const wrong = (message: string) => new QueryveilError("usage", message, { flag: "--engine" })

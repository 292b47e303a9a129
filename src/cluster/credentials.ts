import { readFile } from "node:fs/promises"
import { type Static, Type, Value } from "#typebox"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { type ClusterAddress, isPlainRemote } from "./cluster-address.ts"

/** The variables that hold secrets, or name the files that do. They are used for both kinds of cluster. */
export const clusterVariables = {
  user: "QUERYVEIL_OPENSEARCH_USER",
  password: "QUERYVEIL_OPENSEARCH_PASSWORD",
  apiKey: "QUERYVEIL_OPENSEARCH_API_KEY",
  token: "QUERYVEIL_OPENSEARCH_TOKEN",
  file: "QUERYVEIL_OPENSEARCH_CREDENTIALS",
  ca: "QUERYVEIL_OPENSEARCH_CA",
} as const

const secret = () => Type.String({ minLength: 1, maxLength: 8192 })

const credentials = Type.Union([
  Type.Object({ user: secret(), password: secret() }, { additionalProperties: false }),
  Type.Object({ apiKey: secret() }, { additionalProperties: false }),
  Type.Object({ token: secret() }, { additionalProperties: false }),
])

/** The file holds one set of credentials, or one for each cluster under `HOST:PORT`. */
const credentialsFile = Type.Union([credentials, Type.Record(Type.String(), credentials)])

type Environment = Readonly<Record<string, string | undefined>>

/** What a connection needs besides its address. Private: it is never shown or written. */
export interface ClusterSecrets {
  /** The value of the header `Authorization`. */
  authorization?: string
  /** Certificates of authorities, in PEM. */
  ca?: string
}

/**
 * Reads the secrets for a cluster from the environment, or from the files that it names. Refuses two kinds at once, and
 * refuses to send any over plain text to another machine. No message contains a secret.
 */
export async function readClusterSecrets(
  address: ClusterAddress,
  environment: Environment = process.env,
): Promise<ClusterSecrets> {
  const given = (name: keyof typeof clusterVariables) => environment[clusterVariables[name]] || undefined
  const [user, password, apiKey, token] = (["user", "password", "apiKey", "token"] as const).map(given)
  const file = given("file")
  const kinds = [user ?? password, apiKey, token, file].filter((value) => value !== undefined).length
  if (kinds > 1)
    throw wrong("More than one kind of credentials is set. Set a user and password, an API key, a token, or a file.")
  if ((user === undefined) !== (password === undefined))
    throw wrong(`Set both ${clusterVariables.user} and ${clusterVariables.password}, or neither.`)
  const found =
    file !== undefined
      ? await credentialsOf(file, address)
      : user !== undefined && password !== undefined
        ? { user, password }
        : apiKey !== undefined
          ? { apiKey }
          : token === undefined
            ? undefined
            : { token }
  const authorization = found && headerOf(found)
  if (authorization !== undefined && isPlainRemote(address)) throw wrong(plainAdvice)
  const caFile = given("ca")
  return {
    ...(authorization !== undefined && { authorization }),
    ...(caFile !== undefined && { ca: await readSecret(caFile, clusterVariables.ca) }),
  }
}

const plainAdvice =
  "Credentials are not sent over plain text to another machine. Use TLS (leave out +http), or a tunnel to localhost."

async function credentialsOf(path: string, address: ClusterAddress): Promise<Static<typeof credentials> | undefined> {
  const text = await readSecret(path, clusterVariables.file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined // the parser's message would repeat a part of the file
  }
  if (!Value.Check(credentialsFile, value))
    throw new QueryveilError("option-value", `${path}: these are not credentials. ${fileAdvice}`, { file: path })
  return Value.Check(credentials, value) ? value : value[`${address.host}:${address.port}`]
}

const fileAdvice =
  'Write {"user": …, "password": …}, {"apiKey": …} or {"token": …}, or one of these for each "HOST:PORT".'

/** The header. A line break would let a secret add headers of its own. */
function headerOf(found: Static<typeof credentials>): string {
  if (Object.values(found).some((value) => /\p{Cc}/u.test(value)))
    throw wrong("A user name, password, key or token has a control character in it, such as a line break.")
  if ("apiKey" in found) return `ApiKey ${printable(found.apiKey)}`
  if ("token" in found) return `Bearer ${printable(found.token)}`
  return `Basic ${Buffer.from(`${found.user}:${found.password}`).toString("base64")}`
}

function printable(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw wrong("An API key or a token is one word of ASCII characters.")
}

async function readSecret(path: string, variable: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (cause) {
    throw new QueryveilError("input-unreadable", `${variable}: ${path} cannot be read (${systemCode(cause)}).`, {
      file: path,
    })
  }
}

const wrong = (what: string) => new QueryveilError("option-value", what)

import { readFile, stat } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"

/**
 * Settings of the connection that may be given, by the names that librdkafka has for them. Everything that the promise
 * of exactly once rests on is not among them.
 */
const known = [
  "security.protocol",
  "sasl.mechanisms",
  "sasl.username",
  "sasl.password",
  "ssl.ca.location",
  "ssl.certificate.location",
  "ssl.key.location",
  "ssl.key.password",
  "ssl.endpoint.identification.algorithm",
  "client.id",
  "client.rack",
  "broker.address.family",
  "socket.timeout.ms",
  "socket.keepalive.enable",
  "connections.max.idle.ms",
  "reconnect.backoff.max.ms",
  "fetch.min.bytes",
  "fetch.max.bytes",
  "compression.codec",
] as const

type KafkaSetting = (typeof known)[number]

/** Settings of a connection. They may hold a password, so they are never printed. */
export type KafkaSettings = Readonly<Partial<Record<KafkaSetting, string>>>

/** Names the file with the settings, if the place does not. */
const configVariable = "QUERYVEIL_KAFKA_CONFIG"

/** The variable that holds a setting: `sasl.password` is in QUERYVEIL_KAFKA_SASL_PASSWORD. */
const variableOf = (name: KafkaSetting) => `QUERYVEIL_KAFKA_${name.toUpperCase().replaceAll(".", "_")}`

const secrets: readonly KafkaSetting[] = ["sasl.password", "ssl.key.password"]
/** Java's name of a setting that librdkafka calls otherwise. */
const otherNames: Record<string, KafkaSetting> = {
  "sasl.mechanism": "sasl.mechanisms",
}

/** Reads the settings: those of the file, and over them those of the environment. */
export async function readKafkaSettings(
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<KafkaSettings> {
  const file = path ?? environment[configVariable]
  const settings: Partial<Record<KafkaSetting, string>> = file === undefined ? {} : await readConfig(file)
  for (const name of known) {
    const value = environment[variableOf(name)]
    if (value !== undefined && value !== "") settings[name] = value
  }
  return settings
}

async function readConfig(file: string): Promise<Partial<Record<KafkaSetting, string>>> {
  const refuse = (what: string, cause?: unknown) => new QueryveilError("config", `${file}: ${what}`, { file, cause })
  let text: string
  let mode: number
  try {
    text = await readFile(file, "utf8")
    mode = (await stat(file)).mode
  } catch (cause) {
    throw refuse(`the settings of Kafka cannot be read (${systemCode(cause)}).`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('is not JSON. Write the settings as one object: { "security.protocol": "SASL_SSL", … }.')
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("is not one JSON object.")
  const settings: Partial<Record<KafkaSetting, string>> = {}
  for (const [given, setting] of Object.entries(value)) {
    const name = known.find((candidate) => candidate === (otherNames[given] ?? given))
    if (name === undefined) throw refuse(`unknown setting ${given}. docs/kafka.md lists the settings.`)
    if (!["string", "number", "boolean"].includes(typeof setting)) throw refuse(`${given} is not a text or a number.`)
    settings[name] = String(setting)
  }
  if (process.platform !== "win32" && secrets.some((name) => name in settings) && (mode & 0o077) !== 0)
    throw refuse("holds a password and can be read by others. Close it: chmod 600 FILE.")
  return settings
}

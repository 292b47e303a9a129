import { QueryveilError } from "../../kernels/error.ts"

/** A topic of a Kafka cluster, and the options that the place gives. */
export interface KafkaPlace {
  /** `HOST:PORT` of brokers to ask first; they name the others. */
  brokers: readonly string[]
  topic: string
  /** A file with settings of the connection (default: the file that the environment names). */
  config?: string
  /** An input: where to begin if the store has no position yet (default: with the oldest message). */
  start: "beginning" | "end"
  /** An input: end once all messages that were there at the start have been read. */
  stop: "never" | "end"
  /** An input: the topic that gets messages that are not records. */
  deadLetter?: string
  /** Whether weak settings of the topic are refused or only reported. */
  checks: "refuse" | "warn"
}

export const kafkaForm = "kafka://HOST:PORT,…/TOPIC"
const usualPort = "9092"
const topicPattern = /^(?!\.\.?$)[a-zA-Z0-9._-]{1,249}$/
const hostPattern = /^(\[[0-9a-f:.]+\]|[^:[\]/@?#\s]+)(?::(\d{1,5}))?$/i

/** The values that each option of a place may have; undefined: any text. */
const options: Record<string, readonly string[] | undefined> = {
  config: undefined,
  "dead-letter": undefined,
  start: ["beginning", "end"],
  stop: ["never", "end"],
  checks: ["refuse", "warn"],
}

/** Parses what follows `kafka:`. `flag` is the option that gave it. */
export function parseKafkaPlace(rest: string, flag: string): KafkaPlace {
  const wrong = (what: string) =>
    new QueryveilError("option-value", `${flag} kafka: ${what} Give ${kafkaForm}, with options after a ?.`, { flag })
  const found = /^\/\/([^/?]+)\/([^/?]+)(?:\?(.*))?$/.exec(rest)
  if (found === null) throw wrong("the place has no brokers or no topic.")
  const [, hosts = "", topic = "", query = ""] = found
  if (hosts.includes("@"))
    throw wrong("names and passwords do not belong in an address. Put them in a file (?config=FILE).")
  const brokers = hosts.split(",").map((host) => {
    const [, name, port = usualPort] = hostPattern.exec(host) ?? []
    if (name === undefined || Number(port) > 65_535) throw wrong("a broker is not HOST:PORT.")
    return `${name}:${port}`
  })
  if (!topicPattern.test(topic)) throw wrong("a topic has letters, digits, dots, dashes and underscores only.")
  const given = parseOptions(query, wrong)
  const deadLetter = given.get("dead-letter")
  if (deadLetter !== undefined && (!topicPattern.test(deadLetter) || deadLetter === topic))
    throw wrong("dead-letter is not the name of another topic.")
  const config = given.get("config")
  return {
    brokers,
    topic,
    ...(config !== undefined && { config }),
    start: given.get("start") === "end" ? "end" : "beginning",
    stop: given.get("stop") === "end" ? "end" : "never",
    ...(deadLetter !== undefined && { deadLetter }),
    checks: given.get("checks") === "warn" ? "warn" : "refuse",
  }
}

function parseOptions(query: string, wrong: (what: string) => QueryveilError): Map<string, string> {
  const given = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (!(name in options)) throw wrong(`unknown option ${name}; known are ${Object.keys(options).join(", ")}.`)
    const values = options[name]
    if (values !== undefined && !values.includes(value)) throw wrong(`${name} is ${values.join(" or ")}.`)
    if (value === "") throw wrong(`${name} has no value.`)
    given.set(name, value)
  }
  return given
}

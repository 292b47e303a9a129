import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseKafkaPlace } from "#dist/stream/kafka/kafka-place.js"
import { readKafkaSettings } from "#dist/stream/kafka/kafka-settings.js"

const parse = (rest: string) => parseKafkaPlace(rest, "--input")

test("a place names brokers, a topic and options", () => {
  expect(parse("//a:1,b,[::1]:3/searches")).toEqual({
    brokers: ["a:1", "b:9092", "[::1]:3"],
    topic: "searches",
    start: "beginning",
    stop: "never",
    checks: "refuse",
  })
  expect(parse("//a/t?start=end&stop=end&config=k.json&dead-letter=t.unread&checks=warn")).toMatchObject({
    start: "end",
    stop: "end",
    config: "k.json",
    deadLetter: "t.unread",
    checks: "warn",
  })
})

test.each([
  ["//a:9092", /no brokers or no topic/],
  ["a:9092/t", /no brokers or no topic/],
  ["///t", /no brokers or no topic/],
  ["//a:99999/t", /not HOST:PORT/],
  ["//a/t t", /letters, digits/],
  ["//a/..", /letters, digits/],
  ["//a/t?colour=red", /unknown option colour; known are config/],
  ["//a/t?stop=soon", /stop is never or end/],
  ["//a/t?dead-letter=t", /another topic/],
])("a wrong place is refused with what to give: %s", (rest, message) => {
  expect(() => parse(rest)).toThrow(message)
})

test("a password in an address is refused, and not repeated in the message", () => {
  expect(() => parse("//ann:s3cret@a:1/t")).toThrow(/Put them in a file/)
  expect(() => parse("//ann:s3cret@a:1/t")).not.toThrow(/s3cret/)
})

const folder = mkdtempSync(join(tmpdir(), "queryveil-test-"))
const write = (value: unknown, mode = 0o600) => {
  const path = join(folder, `${Math.random()}.json`)
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value), { mode })
  return path
}

test("settings come from a file, and those of the environment win", async () => {
  const path = write({ "security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.username": "ann" })
  const settings = { "security.protocol": "SASL_SSL", "sasl.mechanisms": "PLAIN", "sasl.username": "ann" }
  expect(await readKafkaSettings(path, {})).toEqual(settings)
  expect(await readKafkaSettings(undefined, { QUERYVEIL_KAFKA_CONFIG: path })).toEqual(settings)
  expect(await readKafkaSettings(path, { QUERYVEIL_KAFKA_SASL_USERNAME: "bob" })).toMatchObject({
    "sasl.username": "bob",
  })
})

test("settings that others can read, cannot be read, or would break the promise are refused", async () => {
  const read = (path: string) => readKafkaSettings(path, {})
  await expect(read(write({ "sasl.password": "s3cret" }, 0o644))).rejects.toThrow(/chmod 600/)
  await expect(read(write({ "isolation.level": "read_uncommitted" }))).rejects.toThrow(/unknown setting isolation/)
  await expect(read(write('{"sasl.password":"s3cret'))).rejects.toThrow(/is not JSON/)
  await expect(read(write('{"sasl.password":"s3cret'))).rejects.not.toThrow(/s3cret/)
  await expect(read(write([]))).rejects.toThrow(/not one JSON object/)
  await expect(read(write({ "client.id": {} }))).rejects.toThrow(/client.id is not/)
  await expect(read(join(folder, "none.json"))).rejects.toThrow(/cannot be read \(ENOENT\)/)
})

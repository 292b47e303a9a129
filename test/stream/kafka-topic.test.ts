import { expect, test } from "vitest"
import { checkTopic, type TopicFacts } from "#dist/stream/kafka/check-topic.js"
import { countByTopic, resumeOutput } from "#dist/stream/kafka/resume-output.js"
import { countLost, topicLag } from "#dist/stream/kafka/topic-lag.js"

const good: TopicFacts = {
  topic: "t",
  id: "x",
  partitions: [0],
  replicas: 3,
  brokers: 3,
  settings: { "cleanup.policy": "delete", "min.insync.replicas": "2", "retention.ms": "604800000" },
}
const refusals = (change: Partial<TopicFacts>, time: "hour" | "exact" | undefined = undefined) =>
  checkTopic({ ...good, ...change }, time === undefined ? { as: "input" } : { as: "output", time }).refusals
const withSetting = (name: string, value: string) => ({ settings: { ...good.settings, [name]: value } })

test("a topic that keeps what it confirms is accepted", () => {
  expect(checkTopic(good, { as: "input" })).toEqual({ refusals: [], warnings: [] })
  expect(checkTopic(good, { as: "output", time: "hour" })).toEqual({ refusals: [], warnings: [] })
  expect(refusals(withSetting("retention.ms", "-1"))).toEqual([])
})

test.each([
  [{ replicas: 1 }, /replication factor of 3/],
  [withSetting("min.insync.replicas", "1"), /Set it to 2/],
  [withSetting("min.insync.replicas", "4"), /nothing can be written/],
  [withSetting("unclean.leader.election.enable", "true"), /Set it to false/],
  [withSetting("cleanup.policy", "compact,delete"), /cleanup.policy=delete/],
  [withSetting("retention.ms", "60000"), /keeps messages for 60 seconds.*retention.ms/],
])("a topic that may lose searches is refused with what to do: %j", (change, message) => {
  expect(refusals(change).join(" ")).toMatch(message)
})

test("a broker that stamps messages with the moment of release is refused where times are hidden", () => {
  const stamped = withSetting("message.timestamp.type", "LogAppendTime")
  expect(refusals(stamped, "hour").join(" ")).toMatch(/Set it to CreateTime/)
  expect(refusals(stamped, "exact")).toEqual([])
  expect(refusals(stamped)).toEqual([])
})

test("a topic that would delete or refuse releases with their cut timestamps is refused", () => {
  const [short, old] = [
    withSetting("retention.ms", "3600000"),
    withSetting("message.timestamp.before.max.ms", "3600000"),
  ]
  expect(refusals(short, "hour").join(" ")).toMatch(/retention.ms=3600000.*Set it to 7200000/)
  expect(refusals(old, "hour").join(" ")).toMatch(/Set it to 7200000/)
  expect(refusals(short, "exact")).toEqual([])
  expect(refusals(withSetting("max.message.bytes", "1000"), "hour").join(" ")).toMatch(/too small/)
  expect(checkTopic({ ...good, ...withSetting("retention.bytes", "5") }, { as: "input" }).warnings.length).toBe(1)
})

test("one broker is reported, not refused", () => {
  const { refusals: refused, warnings } = checkTopic(
    { ...good, brokers: 1, replicas: 1, settings: { "min.insync.replicas": "1" } },
    { as: "input" },
  )
  expect(refused).toEqual([])
  expect(warnings.join(" ")).toMatch(/one broker/)
})

const start = { store: "ours", isNew: false, releases: 100, due: 20 }
const resume = (mark: { store: string | undefined; releases: number }, change = {}, more = {}) =>
  resumeOutput("t", { mark, start: { ...start, ...change }, group: "g", isEmpty: false, force: false, ...more })

test("an output resumes after the last committed release", () => {
  expect(resume({ store: "ours", releases: 100 })).toBe(100)
  expect(resume({ store: "ours", releases: 113 })).toBe(113)
  expect(resume({ store: "ours", releases: 120 })).toBe(120)
})

test("a topic that has more or fewer releases than the store says is refused", () => {
  expect(() => resume({ store: "ours", releases: 121 })).toThrow(/more releases than the store knows/)
  expect(() => resume({ store: "ours", releases: 99 })).toThrow(/has 99 releases, but 100 were written/)
})

test("without a note, the topic itself says how many releases it has", () => {
  expect(resume({ store: undefined, releases: 0 }, { due: 0 })).toBeUndefined()
  expect(resume({ store: undefined, releases: 0 })).toBeUndefined()
  expect(countByTopic("t", { last: 112, start })).toBe(113)
  expect(countByTopic("t", { last: -1, start })).toBe(100) // it has forgotten all
  expect(() => countByTopic("t", { last: 120, start })).toThrow(/more releases than the store knows/)
  expect(() => countByTopic("t", { last: 50, start })).toThrow(/has 51 releases, but 100/)
})

test("a new store takes an empty topic, and another only if it is forced to", () => {
  const fresh = { isNew: true, releases: 0, due: 0 }
  const none = { store: undefined, releases: 0 }
  const theirs = { store: "theirs", releases: 7 }
  expect(resume(none, fresh, { isEmpty: true })).toBe(0)
  expect(() => resume(none, fresh)).toThrow(/not from this store/)
  expect(resume(none, fresh, { force: true })).toBe(0)
  expect(() => resume(theirs, fresh)).toThrow(/another stream writes it \(store theirs\)/)
  expect(resume(theirs, fresh, { force: true })).toBe(0)
  expect(() => resume(theirs, {}, { force: true })).toThrow(/another stream writes it/)
})

test("lag is counted in messages and seconds, and half of the retention is an alarm", () => {
  const partition = { next: 10, readAt: 1_000_000, gaps: [], low: 0, high: 30 }
  const lag = (change: object, lost = 0) =>
    topicLag("kafka:t", { partitions: [{ ...partition, ...change }], lost, now: 1_060_000, retention: 100_000 })
  expect(lag({})).toEqual({ input: "kafka:t", messages: 20, seconds: 60, lost: 0, alarm: true })
  expect(lag({ readAt: 1_020_000 })).toMatchObject({ seconds: 40, alarm: false })
  expect(lag({ next: 30 })).toMatchObject({ messages: 0, seconds: 0, alarm: false })
  expect(lag({ low: 15 })).toMatchObject({ messages: 15, alarm: true })
  expect(lag({ next: 30 }, 3)).toMatchObject({ lost: 3, alarm: true })
})

test("of the offsets that reading skipped, those that the broker has deleted are lost", () => {
  expect(countLost({ gaps: [[10, 20]] }, { low: 20 })).toBe(10)
  expect(countLost({ gaps: [[10, 20]] }, { low: 15 })).toBe(5)
  expect(countLost({ gaps: [[30, 31]] }, { low: 15 })).toBe(0) // the end of a transaction
})

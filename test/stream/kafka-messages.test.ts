import fc from "fast-check"
import { expect, test } from "vitest"
import { dictionaryFrom } from "#dist/kernels/dictionary.js"
import { readBlock } from "#dist/log/formats/read-block.js"
import { MemberNames } from "#dist/stream/kafka/member-names.js"
import { PartitionMerge } from "#dist/stream/kafka/merge-partitions.js"
import { messageLines } from "#dist/stream/kafka/message-lines.js"
import { MessagePlans } from "#dist/stream/kafka/message-plans.js"
import { anyMessages as choice } from "../support/any-messages.ts"

const messageOf = (text: string | null) => ({ value: text === null ? null : Buffer.from(text) })
const search = (user: string) => JSON.stringify({ user, query: "dog", time: "2026-03-01 10:00:00" })

/** The numbers of the messages that are not records, from 1. */
function rejectedOf(plans: MessagePlans, values: readonly (string | null)[]): number[] {
  const rejected: number[] = []
  let before = 0
  for (const { bytes, length, plan, messages } of plans.read(values.map(messageOf))) {
    const { rejectLine, lines } = readBlock({ bytes, length, plan, skipLines: 0, seed: 1 })
    expect(lines).toBe(messages.length)
    rejected.push(...Array.from(rejectLine, (line) => before + line))
    before += lines
  }
  expect(before).toBe(values.length)
  return rejected
}

test("line n is message n, whatever the messages hold", () => {
  const values = fc.array(fc.option(fc.uint8Array({ maxLength: 30 })), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(values, fc.constantFrom("json" as const, "row" as const), (given, form) => {
      const messages = given.map((value) => ({ value: value === null ? null : Buffer.from(value) }))
      const { bytes, length } = messageLines(messages, form)
      expect(bytes.length).toBe(length + 1)
      expect(bytes[length - 1]).toBe(10)
      expect(bytes.subarray(0, length).filter((byte) => byte === 10).length).toBe(messages.length)
    }),
  )
})

test("JSON with line breaks is a record, and what is not JSON is rejected", () => {
  const plans = new MessagePlans(choice, "kafka:t")
  const pretty = JSON.stringify(JSON.parse(search("a")), null, 2)
  expect(rejectedOf(plans, [search("a"), "hello", null, "", pretty, "{}"])).toEqual([2, 3, 4, 6])
})

test("messages before the first record are counted, and the records after them are read", () => {
  const plans = new MessagePlans(choice, "kafka:t")
  expect(rejectedOf(plans, ["hello", "[1]"])).toEqual([1, 2])
  expect(rejectedOf(plans, [search("a"), "hello"])).toEqual([2])
})

test("how a message is read depends on its own fields, not on those of other senders", () => {
  const plans = new MessagePlans(choice, "kafka:t")
  const other = JSON.stringify({ user_id: "x", q: "cat", timestamp: "2026-03-01T10:00:00Z" })
  const ubi = JSON.stringify({
    application: "shop",
    query_id: "q1",
    client_id: "c",
    user_query: "cat",
    timestamp: "2026-03-01T10:00:00Z",
  })
  const odd = JSON.stringify({ something: "else" })
  expect(rejectedOf(plans, [other, search("a"), odd, search("b"), ubi, "hello", search("c")])).toEqual([3, 6])
  expect(rejectedOf(plans, [odd, search("a"), search("b")])).toEqual([1])
})

test("records with the same fields are read together", () => {
  const plans = new MessagePlans(choice, "kafka:t")
  const clicked = JSON.stringify({ user: "a", query: "dog", time: "2026-03-01 10:00:00", rank: 1, url: "x.example" })
  const values = [search("a"), clicked, search("b"), clicked].map(messageOf)
  expect(plans.read(values).length).toBe(1)
})

test("records have the same text of names only if they have the same names, whatever the values hold", () => {
  const names = new MemberNames()
  const textOf = (value: unknown) => names.read(Buffer.from(JSON.stringify(value)))
  const anyName = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("_source", "a\nb", "a", "b", '"', "\\"))
  // Names that are numbers come first in an object, so they are made others.
  const named = fc.uniqueArray(
    anyName.filter((name) => !/^\d+$/.test(name) && name !== "__proto__"),
    { maxLength: 5 },
  )
  const recordOf = (own: readonly string[], value: unknown) => Object.fromEntries(own.map((name) => [name, value]))
  fc.assert(
    fc.property(named, named, fc.jsonValue(), fc.jsonValue(), (one, other, first, second) => {
      // None of them is `_source`, nor may be another spelling of it.
      const plain = (own: readonly string[]) => own.map((name) => `n${name.replace(/[^a-z_]/g, "-")}`)
      expect(textOf(recordOf(plain(one), first))).toBe(textOf(recordOf(plain(one), second)))
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(textOf(recordOf(one, 1)) === textOf(recordOf(other, 1))).toBe(isSame)
      // The record of a dumped document is inside.
      const [dumped, dumpedOther] = [{ _source: recordOf(one, 1) }, { _source: recordOf(other, 1) }]
      expect(textOf(dumped) === textOf(dumpedOther)).toBe(isSame)
    }),
  )
})

const account = (device: string) =>
  JSON.stringify({ user_id: "alice", device_id: device, query: "dog", time: "2026-03-01 10:00:00" })

/** The users of the messages that are records. */
function usersOf(plans: MessagePlans, values: readonly string[]): string[] {
  return plans.read(values.map(messageOf)).flatMap(({ bytes, length, plan }) => {
    const block = readBlock({ bytes, length, plan, skipLines: 0, seed: 1 })
    const texts = dictionaryFrom(block.users)
    return Array.from(block.user, (user) => texts.text(user))
  })
}

test("nobody can choose the user column of other people's messages", () => {
  // The first had the same hash of names as those of alice; the others make the same list if it is joined carelessly.
  const hostile = [
    { device_id: "x", query: "dog", time: "2026-03-01 10:00:00", an64b1xm: 1 },
    { "user_id\ndevice_id": "x", device_id: "x", query: "dog", time: "2026-03-01 10:00:00" },
    { a8inacn4: 1 },
    { user: "x", email: "x@example.com", query: "dog", time: "2026-03-01 10:00:00" },
  ]
  for (const one of hostile) {
    const plans = new MessagePlans(choice, "kafka:t")
    usersOf(plans, [JSON.stringify(one)])
    expect(usersOf(plans, [account("phone1"), account("phone2")])).toEqual(["alice", "alice"])
    expect(usersOf(plans, [account("phone1"), JSON.stringify(one)])[0]).toBe("alice")
  }
})

test("a record with two accounts is refused, also next to records that are read", () => {
  const two = JSON.stringify({ user_id: "a", email: "a@example.com", query: "dog", time: "2026-03-01 10:00:00" })
  const one = JSON.stringify({ user_id: "b", query: "dog", time: "2026-03-01 10:00:00" })
  expect(rejectedOf(new MessagePlans(choice, "kafka:t"), [one, two, one])).toEqual([2])
  expect(rejectedOf(new MessagePlans(choice, "kafka:t"), [two, one])).toEqual([1])
})

test("what is inside a member does not change the format of a message, nor of those after it", () => {
  for (const inside of [{ actionDetails: 1 }, { query_id: 1, user_query: 2 }]) {
    const plans = new MessagePlans(choice, "kafka:t")
    const nested = JSON.stringify({ user: "x", query: inside, time: "2026-03-01 10:00:00" })
    expect(rejectedOf(plans, [nested, search("a"), search("b")])).toEqual([1])
  }
})

test("the members of a dumped document are found in it, each for itself", () => {
  const plans = new MessagePlans(choice, "kafka:t")
  const dumped = (source: object) => JSON.stringify({ _index: "searches", _source: source })
  const honest = dumped({ user_id: "alice", device_id: "p", query: "dog", time: "2026-03-01 10:00:00" })
  const other = dumped({ device_id: "x", query: "dog", time: "2026-03-01 10:00:00" })
  expect(usersOf(plans, [other, honest, other])).toEqual(["x", "alice", "x"])
})

test("a message that is too long is rejected", () => {
  const long = JSON.stringify({ user: "u", query: "x".repeat(3 << 20), time: "2026-03-01 10:00:00" })
  expect(rejectedOf(new MessagePlans(choice, "kafka:t"), [search("a"), long, search("b")])).toEqual([2])
})

test("rows are read by the numbers of their columns", () => {
  const columns = { user: "1", query: "2", time: "3" }
  const rows = (values: string[]) =>
    rejectedOf(new MessagePlans({ ...choice, format: "delimited", columns }, "kafka:t"), values)
  expect(rows(["u\tdog\t2026-03-01 10:00:00", "u\tdog\t2026-03-01 10:00:00\r\n"])).toEqual([])
  expect(rows(["u\tdog\t2026-03-01 10:00:00", "u\tdog\t2026-03-01\nu\tcat\t2026-03-01"])).toEqual([2])
})

test("a message that is no row is rejected, and not the rows after it", () => {
  const columns = { user: "1", query: "2", time: "3" }
  const row = "u\tdog\t2026-03-01 10:00:00"
  for (const bad of ["", "zzz", "x;y;z", "user\tquery\ttime", "u,dog,2026-03-01 10:00:00"]) {
    const delimited = new MessagePlans({ ...choice, format: "delimited", columns }, "kafka:t")
    expect(rejectedOf(delimited, [bad, row, `${row}\tmore\tand more`])).toEqual([1])
    expect(rejectedOf(new MessagePlans({ ...choice, format: "aol" }, "kafka:t"), [bad, row])).toEqual([1])
  }
})

test("rows without numbers of columns, and other encodings, are refused with what to do", () => {
  const named = new MessagePlans({ ...choice, format: "delimited" }, "kafka:t")
  expect(() => named.read([messageOf("user\tquery\ttime")])).toThrow(/--columns user=1,query=2,time=3/)
  expect(() => new MessagePlans({ ...choice, encoding: "latin1" }, "kafka:t")).toThrow(/must be UTF-8/)
})

/** Feeds messages to a merge in any order of partitions, and takes what can be taken after each. */
function mergeAll(partitions: readonly (readonly number[])[], turns: readonly number[]) {
  const merge = new PartitionMerge({ pause: () => {}, resume: () => {} })
  for (const partition of partitions.keys()) merge.open(partition, 0)
  const at = partitions.map(() => 0)
  const taken: { partition: number; offset: number; timestamp: number }[] = []
  const take = (force: boolean) => {
    for (const { partition, offset, timestamp = -1 } of merge.take(1000, { force }))
      taken.push({ partition, offset, timestamp })
  }
  for (const turn of [
    ...turns,
    ...partitions.flatMap((times, partition) => [partition, ...times.map(() => partition)]),
  ]) {
    const partition = turn % partitions.length
    const times = partitions[partition] ?? []
    const offset = at[partition] ?? 0
    const timestamp = times[offset]
    if (timestamp !== undefined) {
      merge.add({ value: null, topic: "t", partition, offset, timestamp })
      at[partition] = offset + 1
    }
    if (at[partition] === times.length) merge.reachEnd(partition, times.length)
    take(false)
  }
  expect(merge.isEmpty).toBe(true)
  return taken
}

test("partitions are merged in the order of their timestamps, and each keeps its order", () => {
  const times = fc.array(fc.nat(50), { maxLength: 12 }).map((list) => list.sort((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(10)), (partitions, turns) => {
      const taken = mergeAll(partitions, turns)
      expect(taken.length).toBe(partitions.flat().length)
      expect(taken.map(({ timestamp }) => timestamp)).toEqual(partitions.flat().sort((a, b) => a - b))
      for (const [partition] of partitions.entries()) {
        const offsets = taken.filter((message) => message.partition === partition).map(({ offset }) => offset)
        expect(offsets).toEqual(offsets.map((_, i) => i))
      }
    }),
  )
})

test("a partition that delivers nothing holds up the others only until it is forced", () => {
  const merge = new PartitionMerge({ pause: () => {}, resume: () => {} })
  merge.open(0, 0)
  merge.open(1, 0)
  merge.add({ value: null, topic: "t", partition: 0, offset: 0, timestamp: 5 })
  expect(merge.take(10, { force: false })).toEqual([])
  expect(merge.take(10, { force: true }).length).toBe(1)
})

test("large messages are not gathered without end", () => {
  const calls: number[] = []
  const merge = new PartitionMerge({ pause: (partition) => calls.push(partition), resume: () => {} })
  for (let partition = 0; partition < 10; partition++) merge.open(partition, 0)
  for (let offset = 0; offset < 8; offset++)
    merge.add({ value: Buffer.alloc(1 << 20), topic: "t", partition: 3, offset, timestamp: offset })
  expect(calls).toEqual([3])
  expect(merge.take(100, { force: true }).length).toBeLessThanOrEqual(8)
})

test("a partition far ahead of the others is not read on until they have caught up", () => {
  const calls: string[] = []
  const merge = new PartitionMerge({
    pause: (partition) => calls.push(`pause ${partition}`),
    resume: (partition) => calls.push(`resume ${partition}`),
  })
  merge.open(0, 0)
  merge.open(1, 0)
  for (let offset = 0; offset < 100_001; offset++)
    merge.add({ value: null, topic: "t", partition: 0, offset, timestamp: offset })
  expect(calls).toEqual(["pause 0"])
  merge.reachEnd(1, 0)
  while (merge.take(20_001, { force: false }).length > 0);
  expect(calls).toEqual(["pause 0", "resume 0"])
})

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { metricsText } from "#dist/server/metrics.js"
import { figuresOf } from "./stream-figures.ts"

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/**
 * Parses the text format 0.0.4 strictly. A family is HELP, TYPE and at least one sample, once. No sample occurs twice.
 */
function parse(text: string): { types: Map<string, string>; samples: Sample[] } {
  const types = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  expect(text.endsWith("\n")).toBe(true)
  let family = ""
  let announced = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) ([^\\]+)$/.exec(line)
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge)$/.exec(line)
    if (help !== null) {
      expect(types.has(help[1])).toBe(false)
      announced = help[1]
    } else if (type !== null) {
      expect(type[1]).toBe(announced)
      family = type[1]
      types.set(family, type[2])
    } else {
      const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`
      const value = String.raw`-?\d+(?:\.\d+)?(?:e[+-]\d+)?|NaN|[+-]Inf`
      const sample = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{(${label}(?:,${label})*)\\})? (${value})$`).exec(line)
      if (sample === null) throw new Error("a line is none of the format")
      const [, name, inside = "", number] = sample
      expect(name).toBe(family)
      const key = `${name}{${inside}}`
      expect(seen.has(key)).toBe(false)
      seen.add(key)
      const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
      const plain = (value: string) => value.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c))
      const labels = Object.fromEntries(pairs.map(([, name, value]) => [name, plain(value)]))
      samples.push({ name, labels, value: Number(number) })
    }
  }
  expect(new Set(samples.map(({ name }) => name))).toEqual(new Set(types.keys()))
  return { types, samples }
}

const find = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find((one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify(labels))?.value

describe("/metrics", () => {
  test("has every figure under its name and type", () => {
    const { types, samples } = parse(metricsText(figuresOf()))
    for (const [name, type] of types) {
      expect(name.startsWith("queryveil_")).toBe(true)
      expect(name.endsWith("_total")).toBe(type === "counter")
    }
    expect(find(samples, "queryveil_released_total")).toBe(900_000)
    expect(find(samples, "queryveil_waiting")).toBe(280_000)
    expect(find(samples, "queryveil_withheld_total", { reason: "identifier" })).toBe(21_000)
    expect(find(samples, "queryveil_rejected_total", { reason: "time" })).toBe(3)
    expect(find(samples, "queryveil_delay_seconds", { quantile: "0.99" })).toBe(64)
    expect(find(samples, "queryveil_commit_seconds", { quantile: "0.99" })).toBe(0.022)
    expect(find(samples, "queryveil_state", { state: "running" })).toBe(1)
    expect(find(samples, "queryveil_state", { state: "full" })).toBe(0)
    expect(find(samples, "queryveil_info", { mode: "strict" })).toBe(1)
    expect(find(samples, "queryveil_risk_lower")).toBe(0.0962)
    expect(find(samples, "queryveil_risk_alarm")).toBe(0)
    expect(find(samples, "queryveil_category_gated", { category: 'a "quoted" \\ path' })).toBe(1)
  })

  test("stays in the format whatever paths hold and however large numbers are", () => {
    const number = fc.oneof(fc.nat(), fc.double())
    const category = fc.record({
      path: fc.string({ unit: "grapheme" }),
      waiting: number,
      users: number,
      gated: fc.boolean(),
    })
    const largest = fc.uniqueArray(category, { maxLength: 20, selector: ({ path }) => path })
    fc.assert(
      fc.property(largest, number, (largest, lines) => {
        const { samples } = parse(metricsText(figuresOf({ largest, lines })))
        const paths = samples
          .filter(({ name }) => name === "queryveil_category_waiting")
          .map((one) => one.labels.category)
        expect(paths).toEqual(largest.map(({ path }) => path))
      }),
    )
  })

  test("has no risk figures before the first assessment, and names the categories of an alarm", () => {
    const none = parse(metricsText(figuresOf({ risk: undefined })))
    expect(none.samples.filter(({ name }) => name.includes("risk"))).toEqual([])
    const { risk } = figuresOf()
    if (risk === undefined) throw new Error("there is a risk")
    const alarmed = [{ path: "entity/cat", named: 400, share: 0.5, lower: 0.4 }]
    const { samples } = parse(metricsText(figuresOf({ risk: { ...risk, alarm: true, alarmed } })))
    expect(find(samples, "queryveil_risk_alarm")).toBe(1)
    expect(find(samples, "queryveil_risk_alarmed_categories")).toBe(1)
    expect(find(samples, "queryveil_risk_category_lower", { category: "entity/cat" })).toBe(0.4)
  })

  test("an input that knows how far it is behind is in them, by name", () => {
    const inputs = [{ input: "kafka:searches", messages: 12, seconds: 3.5, lost: 2, alarm: true }]
    const { samples } = parse(metricsText(figuresOf({ inputs })))
    const found = samples.filter(({ labels }) => labels.input === "kafka:searches")
    expect(found.map(({ name, value }) => [name, value])).toEqual([
      ["queryveil_input_lag_messages", 12],
      ["queryveil_input_lag_seconds", 3.5],
      ["queryveil_input_lost_messages_total", 2],
      ["queryveil_input_alarm", 1],
    ])
  })
})

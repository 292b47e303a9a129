import type { Quantiles } from "../stream/live/stream-figures.ts"

export type Labels = Record<string, string>

/** Values of one name in Prometheus' text format. */
export interface Family {
  name: string
  type: "counter" | "gauge"
  help: string
  samples: readonly (readonly [Labels, number])[]
}

/** Families in Prometheus' text format 0.0.4, without those that have no values. */
export function writeFamilies(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(writeFamily)
    .join("")
}

type Samples = number | Family["samples"]
const samplesOf = (value: Samples) => (typeof value === "number" ? [[{}, value] as const] : value)

/** A family of values that go up and down. */
export function gauge(name: string, help: string, value: Samples): Family {
  return { name: `queryveil_${name}`, type: "gauge", help, samples: samplesOf(value) }
}

/** A family of totals. */
export function counter(name: string, help: string, value: Samples): Family {
  return { name: `queryveil_${name}_total`, type: "counter", help, samples: samplesOf(value) }
}

export function byReason(counts: Record<string, number>): Family["samples"] {
  return Object.entries(counts).map(([reason, count]) => [{ reason }, count])
}

export function byQuantile({ p50, p99 }: Quantiles): Family["samples"] {
  return [
    [{ quantile: "0.5" }, p50],
    [{ quantile: "0.99" }, p99],
  ]
}

function writeFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(([labels, value]) => `${name}${writeLabels(labels)} ${writeNumber(value)}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN"
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? "+Inf" : "-Inf"
}

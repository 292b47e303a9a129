import type { InputLag, StreamFigures } from "../stream/live/stream-figures.ts"
import { byQuantile, byReason, counter, type Family, gauge, writeFamilies } from "./prometheus.ts"
import { riskFamilies } from "./risk-metrics.ts"

/** The figures in Prometheus' text format 0.0.4. Labels are words of the program and public paths of the taxonomy. */
export function metricsText(figures: StreamFigures): string {
  return writeFamilies([
    ...streamFamilies(figures),
    ...inputFamilies(figures),
    ...delayFamilies(figures),
    ...riskFamilies(figures.risk),
  ])
}

const states = ["running", "full", "blocked", "draining", "stopped"] as const

function streamFamilies(figures: StreamFigures): Family[] {
  const { largest } = figures
  return [
    gauge("info", "Mode of swapping, as a label; always 1.", [[{ mode: figures.mode }, 1]]),
    gauge(
      "state",
      "1 for the current state of the stream, 0 for the others.",
      states.map((state) => [{ state }, state === figures.state ? 1 : 0]),
    ),
    gauge("start_time_seconds", "Start of this run, in seconds since 1970.", figures.startedAt / 1000),
    gauge(
      "promised",
      "1 if the stream promises that a user is named correctly with a chance of at most 1/k.",
      figures.promised ? 1 : 0,
    ),
    gauge("k", "Other users among whom the user of a record is hidden.", figures.k),
    gauge("depth", "Level at which topics are cut.", figures.depth),
    counter("lines", "Lines received.", figures.lines),
    counter("taken", "Records accepted.", figures.taken),
    counter("released", "Records released.", figures.released),
    counter("cells", "Cells dealt.", figures.cells),
    counter("rejected", "Lines rejected because they are not records, by reason.", byReason(figures.rejected)),
    counter("withheld", "Records withheld for good, by reason.", byReason(figures.withheld)),
    counter("late", "Records that arrived after one with a later time.", figures.late.records),
    gauge("late_seconds_max", "Largest time by which a record arrived out of order.", figures.late.seconds),
    gauge("waiting", "Records waiting.", figures.waiting),
    gauge("categories", "Categories with waiting records.", figures.categories),
    gauge(
      "category_waiting",
      "Records waiting in the largest categories.",
      largest.map(({ path, waiting }) => [{ category: path }, waiting]),
    ),
    gauge(
      "category_users",
      "Users with waiting records in the largest categories.",
      largest.map(({ path, users }) => [{ category: path }, users]),
    ),
    gauge(
      "category_gated",
      "1 if the category is withheld; the largest categories only.",
      largest.map(({ path, gated }) => [{ category: path }, gated ? 1 : 0]),
    ),
    gauge("resident_memory_bytes", "Resident memory of the process.", figures.memory.rss),
    gauge("heap_bytes", "Heap memory in use.", figures.memory.heap),
    gauge("journal_bytes", "Size of the journal.", figures.journalBytes),
    gauge("checkpoint_age_seconds", "Seconds since the last checkpoint.", figures.checkpoint.age),
    gauge("checkpoint_stalled", "1 if the disk has no room for a checkpoint.", figures.checkpoint.isStalled ? 1 : 0),
  ]
}

function inputFamilies({ inputs }: StreamFigures): Family[] {
  const each = (value: (lag: InputLag) => number): Family["samples"] =>
    inputs.map((lag) => [{ input: lag.input }, value(lag)])
  return [
    gauge(
      "input_lag_messages",
      "Messages that an input has not read yet.",
      each(({ messages }) => messages),
    ),
    gauge(
      "input_lag_seconds",
      "Age of the oldest message that an input has not read.",
      each(({ seconds }) => seconds),
    ),
    counter(
      "input_lost_messages",
      "Messages that were deleted before they were read.",
      each(({ lost }) => lost),
    ),
    gauge(
      "input_alarm",
      "1 if messages were deleted unread, or may be soon.",
      each(({ alarm }) => (alarm ? 1 : 0)),
    ),
  ]
}

function delayFamilies({ delay, commit }: StreamFigures): Family[] {
  const seconds = { p50: commit.p50 / 1000, p99: commit.p99 / 1000 }
  return [
    gauge(
      "delay_records",
      "Records that arrived while a record waited, over recent releases.",
      byQuantile(delay.records),
    ),
    gauge("delay_seconds", "Waiting time of records, over recent releases.", byQuantile(delay.seconds)),
    gauge("commit_seconds", "Time from the arrival of a batch until it is durable.", byQuantile(seconds)),
  ]
}

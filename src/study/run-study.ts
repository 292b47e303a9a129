import { createHash } from "node:crypto"
import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { writeError } from "../files/write-error.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { type ContextOptions, createContext, enterStep, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { computePoints, shareSubject } from "./compute-points.ts"
import { describePoint } from "./describe-point.ts"
import { drawFigure } from "./figures/draw.ts"
import { toCsv } from "./pages/csv.ts"
import { studyPage } from "./pages/study-page.ts"
import { openPointStore, type PointStore } from "./point-store.ts"
import type { Figure, Point, PointResult, Study, StudySubject } from "./study.ts"
import {
  dataFolder,
  figuresFolder,
  filesFolder,
  pageFile,
  pointsFolder,
  type StudyFolder,
  studyFile,
  withStudyFolder,
} from "./study-folder.ts"
import { setListsApart } from "./study-lists.ts"

/** Increase this when a probe or a method changes its numbers. Points computed before are then computed again. */
const studyVersion = 4

/** A study, its options and its subject. */
export interface StudyRun {
  study: Study
  options: Record<string, unknown>
  seed: number
  /** Fingerprint of everything that the points depend on except their values: the log, its reading, the truth. */
  input: string
  subject: StudySubject
}

/** The outcome of a study: its points in order, how many were computed, and how many were reused. */
export interface StudyOutcome {
  results: PointResult[]
  computed: number
  reused: number
}

/**
 * Computes the points of a study that are not in the folder yet, and writes the page: `index.html`, `study.json`,
 * `figures/ID.svg`, `data/ID.csv`, `points/HASH.json` and, if points leave files, `releases/HASH…`. Everything in the
 * folder is private to the owner of the log. Only one run at a time can use the folder.
 */
export function runStudy(folder: string, run: StudyRun, context: RunContext = createContext()): Promise<StudyOutcome> {
  return withStudyFolder(folder, async (held) => {
    const outcome = await computeStudy(held, run, context)
    await writeStudy(held, run, outcome.results)
    return outcome
  })
}

/**
 * Returns the points of a study in order. Points in the folder are reused; the others are computed and stored there.
 */
export async function computeStudy(folder: StudyFolder, given: StudyRun, context: RunContext): Promise<StudyOutcome> {
  const run = setListsApart(given)
  await makeParts(folder, run.study)
  const store = await openPointStore(folder.path)
  const points = run.study.points(run.options).map((point) => ({ point, hash: pointHash(run, point) }))
  const results = new Map<string, PointResult>()
  const keep = async (hash: string, result: PointResult) => {
    results.set(hash, await store.write(hash, result))
  }
  let reused = 0
  const missing: typeof points = []
  for (const [i, { point, hash }] of points.entries()) {
    stopIfCancelled(context)
    context.report({ stage: "looking for earlier points", done: i, total: points.length })
    const known = await store.read(hash)
    if (known !== undefined) {
      reused++
      results.set(hash, known)
    } else if (run.study.threads === undefined) {
      const step = { kind: "point", number: i + 1, total: points.length, name: describePoint(point) }
      const within = seededContext(hash, enterStep(context, step))
      await keep(hash, { point, ...(await run.study.compute(point, run.subject, within)) })
    } else {
      missing.push({ point, hash })
    }
  }
  await computeMissing(missing, { run, store, total: points.length, known: [...results.values()], keep }, context)
  return {
    results: points.flatMap(({ hash }) => results.get(hash) ?? []),
    computed: points.length - reused,
    reused,
  }
}

interface Missing {
  run: StudyRun
  store: PointStore
  total: number
  known: readonly PointResult[]
  keep(hash: string, result: PointResult): Promise<void>
}

/** Computes points on threads. A point that was started but not stored leaves no files. */
async function computeMissing(
  missing: readonly { point: Point; hash: string }[],
  { run, store, total, known, keep }: Missing,
  context: RunContext,
): Promise<void> {
  const { threads, name: study } = run.study
  if (threads === undefined || missing.length === 0) return
  const shared = shareSubject(run.subject)
  const tasks = missing.map(({ point, hash }) => {
    const subject = { ...shared, place: store.placeOf(hash) }
    return { point, hash, shard: { study, run: run.input, point, seed: seedOf(hash), subject } }
  })
  for (const { hash } of missing) await store.clear(hash)
  const lasted = known.flatMap(({ point, seconds }) => (seconds === undefined ? [] : [{ point, seconds }]))
  try {
    await computePoints(
      tasks,
      {
        threads,
        total,
        known: lasted,
        keep: ({ point, hash }, output, seconds) => keep(hash, { point, ...output, seconds }),
      },
      context,
    )
  } catch (error) {
    await store.sweep()
    throw error
  }
}

/** Writes the page and its figures. */
export async function writeStudy(
  { path }: StudyFolder,
  given: StudyRun,
  results: readonly PointResult[],
): Promise<void> {
  const run = setListsApart(given)
  const figures = run.study.figures(results, run.options)
  await writeFigures(path, figures)
  await writeFileWhole(join(path, pageFile), await studyPage(run, results, figures), { mode: 0o600 })
  const about = {
    queryveil: studyVersion,
    study: run.study.name,
    options: run.options,
    seed: run.seed,
    input: run.input,
    results,
  }
  await writeFileWhole(join(path, studyFile), toJson(about), { mode: 0o600 })
}

/** Seeds a point by its hash: it draws the same numbers whichever points were computed before it. */
function seededContext(hash: string, { signal, workers, now, report }: RunContext): RunContext {
  const options: ContextOptions = { seed: seedOf(hash), signal, workers, now, report }
  return createContext(options)
}

const seedOf = (hash: string) => Number.parseInt(hash.slice(0, 12), 16)

async function makeParts({ path }: StudyFolder, { threads }: Study): Promise<void> {
  try {
    for (const part of [pointsFolder, figuresFolder, dataFolder, ...(threads === undefined ? [] : [filesFolder])]) {
      await mkdir(join(path, part), { recursive: true, mode: 0o700 })
    }
  } catch (error) {
    throw writeError(path, error)
  }
}

function pointHash({ study, seed, input }: StudyRun, point: Point): string {
  const key = JSON.stringify([studyVersion, study.name, seed, input, Object.entries(point).sort()])
  return createHash("sha256").update(key).digest("hex").slice(0, 24)
}

/** Writes the figures, and removes figures of an earlier run that this run does not have. */
async function writeFigures(folder: string, figures: readonly Figure[]): Promise<void> {
  const drawn = figures.filter(({ plot }) => plot !== undefined)
  for (const [part, ending, written] of [
    [figuresFolder, ".svg", drawn],
    [dataFolder, ".csv", figures],
  ] as const) {
    const ids = new Set(written.map(({ id }) => id))
    for (const name of await readdir(join(folder, part))) {
      if (name.endsWith(ending) && !ids.has(name.slice(0, -ending.length))) await rm(join(folder, part, name))
    }
  }
  for (const figure of drawn) {
    await writeFileWhole(join(folder, figuresFolder, `${figure.id}.svg`), `${await drawFigure(figure)}\n`, {
      mode: 0o600,
    })
  }
  for (const figure of figures) {
    await writeFileWhole(join(folder, dataFolder, `${figure.id}.csv`), toCsv(figure.data), { mode: 0o600 })
  }
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

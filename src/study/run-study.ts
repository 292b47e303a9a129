import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { type ContextOptions, createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { writeError, writeFileWhole } from "../release/output.ts"
import { refusePrivate } from "../release/write-release.ts"
import { toCsv } from "./csv.ts"
import { drawFigure } from "./draw.ts"
import type { Figure, Point, PointResult, Study, StudySubject } from "./study.ts"
import { studyPage } from "./study-page.ts"

/** Raise when a probe or a method changes its numbers: points computed before are then computed again. */
const studyVersion = 2
const studyFile = "study.json"

/** A study, its options, and what it looks at. */
export interface StudyRun {
  study: Study
  options: Record<string, unknown>
  seed: number
  /** Fingerprint of everything the points depend on but their values: the log, its reading, the truth. */
  input: string
  subject: StudySubject
}

/**
 * Computes the points of a study that are not in the folder yet, and writes the page: `index.html`, `study.json`,
 * `figures/ID.svg`, `data/ID.csv`, `points/HASH.json`. For the owner of the log: everything in the folder is private.
 */
export async function runStudy(
  folder: string,
  run: StudyRun,
  context: RunContext,
): Promise<{ computed: number; reused: number }> {
  await prepareFolder(folder)
  const points = run.study.points(run.options)
  const results: PointResult[] = []
  let reused = 0
  for (const [i, point] of points.entries()) {
    stopIfCancelled(context)
    context.report({ stage: "points", done: i, total: points.length })
    const path = join(folder, "points", `${pointHash(run, point)}.json`)
    const known = await readPoint(path)
    if (known !== undefined) reused++
    const result = known ?? {
      point,
      ...(await run.study.compute(point, run.subject, seededContext(run, point, context))),
    }
    if (known === undefined) await writeFileWhole(path, toJson(result), { mode: 0o600 })
    results.push(result)
  }
  const figures = run.study.figures(results)
  await writeFigures(folder, figures)
  await writeFileWhole(join(folder, "index.html"), await studyPage(run, results, figures), { mode: 0o600 })
  const about = {
    queryveil: studyVersion,
    study: run.study.name,
    options: run.options,
    seed: run.seed,
    input: run.input,
    results,
  }
  await writeFileWhole(join(folder, studyFile), toJson(about), { mode: 0o600 })
  return { computed: points.length - reused, reused }
}

/** A point draws the same numbers whichever points were computed before it. */
function seededContext(run: StudyRun, point: Point, { signal, workers, now, report }: RunContext): RunContext {
  const seed = Number.parseInt(pointHash(run, point).slice(0, 12), 16)
  const options: ContextOptions = { seed, signal, workers, now, report }
  return createContext(options)
}

/** A folder of our own: new, empty, or of a study before. */
async function prepareFolder(folder: string): Promise<void> {
  await refusePrivate(folder)
  try {
    const names: string[] = await readdir(folder).catch(() => [])
    if (names.length > 0 && !names.includes("points")) {
      throw new QueryveilError(
        "output-exists",
        `${folder}: holds something else than a study. Choose another folder.`,
        {
          file: folder,
        },
      )
    }
    for (const part of ["points", "figures", "data"]) await mkdir(join(folder, part), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw writeError(folder, error)
  }
}

function pointHash({ study, seed, input }: StudyRun, point: Point): string {
  const key = JSON.stringify([studyVersion, study.name, seed, input, Object.entries(point).sort()])
  return createHash("sha256").update(key).digest("hex").slice(0, 24)
}

async function readPoint(path: string): Promise<PointResult | undefined> {
  try {
    const value: PointResult = JSON.parse(await readFile(path, "utf8"))
    return Array.isArray(value.scores) ? value : undefined
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === "ENOENT") return undefined
    throw new QueryveilError("input-unreadable", `${path}: cannot be read (${systemCode(error)}).`, {
      file: path,
      cause: error,
    })
  }
}

/** Writes the figures and removes those of a run before that are not of this one. */
async function writeFigures(folder: string, figures: readonly Figure[]): Promise<void> {
  const drawn = figures.filter(({ plot }) => plot !== undefined)
  for (const [part, ending, written] of [
    ["figures", ".svg", drawn],
    ["data", ".csv", figures],
  ] as const) {
    const ids = new Set(written.map(({ id }) => id))
    for (const name of await readdir(join(folder, part))) {
      if (name.endsWith(ending) && !ids.has(name.slice(0, -ending.length))) await rm(join(folder, part, name))
    }
  }
  for (const figure of drawn) {
    await writeFileWhole(join(folder, "figures", `${figure.id}.svg`), `${await drawFigure(figure)}\n`, { mode: 0o600 })
  }
  for (const figure of figures) {
    await writeFileWhole(join(folder, "data", `${figure.id}.csv`), toCsv(figure.data), { mode: 0o600 })
  }
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

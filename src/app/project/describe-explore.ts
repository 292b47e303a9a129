import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { TObject, TSchema } from "#typebox"
import { methods } from "../../methods/registry.ts"
import { methodOptions } from "../../release/anonymize.ts"
import { listUnchecked } from "../../study/advise/advice-limits.ts"
import { advise } from "../../study/advise/advise.ts"
import { parametersOf } from "../../study/frontier/point.ts"
import { compareRows, type FrontierRow, rawName, readFrontier } from "../../study/frontier/rows.ts"
import { useNames, uses } from "../../study/frontier/scores.ts"
import type { PointResult } from "../../study/study.ts"
import { hashOf, pointsFolder } from "../../study/study-folder.ts"
import { type ExploredFile, exploredFile, frontierFolder } from "./jobs/explore-job.ts"
import type { ProjectView } from "./jobs/project-view.ts"
import { readProduct } from "./products.ts"
import type { Explore } from "./studio-schema.ts"

type Extent = "sample" | "whole"

/** A point, and its id on the screen. */
interface FoundPoint {
  id: string
  of: Extent
  result: PointResult
}

/** The points that are there, the advice for the purpose, and the methods whose options can be moved. */
export async function describeExplore(view: ProjectView): Promise<Explore> {
  const { use = "suggestions", maxRisk = 0.05 } = view.settings.purpose ?? {}
  const found = [...(await readPoints(view, "whole")), ...(await readPoints(view, "sample"))]
  const rows = readFrontier(found.map(({ result }) => result))
  const of = (extent: Extent) => rows.filter((_, i) => found[i]?.of === extent)
  const isWhole = of("whole").some(({ series }) => series !== rawName)
  const advised = of(isWhole ? "whole" : "sample")
  const advice = advised.length === 0 ? undefined : advise(advised, { use, maxRisk })
  const front = new Set(
    (["sample", "whole"] as const).flatMap((extent) =>
      compareRows(of(extent), use).flatMap(({ row, isOnFront }) => (isOnFront ? [row] : [])),
    ),
  )
  return {
    use,
    maxRisk,
    points: rows.map((row, i) => describePoint(row, found[i], front.has(row))),
    advice:
      advice === undefined
        ? null
        : {
            ...(advice.chosen && { point: found[rows.indexOf(advice.chosen.row)]?.id ?? "" }),
            reasons: advice.reasons,
            notChecked: await uncheckedOf(view, isWhole ? "whole" : "sample"),
          },
    uses: Object.fromEntries(
      useNames.map((name) => [name, { title: uses[name].title, keeps: uses[name].keeps, better: uses[name].better }]),
    ) as Explore["uses"],
    methods: methods.map(describeMethod),
  }
}

async function uncheckedOf(view: ProjectView, of: Extent): Promise<string[]> {
  const about = await readProduct<ExploredFile>(exploredFile(view, of))
  if (about === undefined) return []
  const size = ({ rows, users }: { rows: number; users: number }) => ({ rows, users: { size: users } })
  return listUnchecked({ sample: size(about.sample), whole: size(about.whole) })
}

function describePoint(row: FrontierRow, found: FoundPoint | undefined, isOnFront: boolean): Explore["points"][number] {
  return {
    id: found?.id ?? "",
    of: found?.of ?? "sample",
    method: String(row.point.method),
    parameters: parametersOf(row.point),
    name: row.label,
    raw: row.series === rawName,
    ...(row.risk && { risk: row.risk }),
    attacker: row.attacker,
    uses: row.uses,
    front: isOnFront,
    state: row.state,
    ...(row.refused && { refused: row.refused }),
    report: row.report !== undefined,
  }
}

/** The facts of an option's schema that a form needs. */
interface OptionFacts {
  description?: string
  type?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  default?: string | number | boolean
  private?: boolean
  place?: boolean
  fromFile?: string
}

function describeMethod(method: (typeof methods)[number]): Explore["methods"][number] {
  const { properties }: TObject = methodOptions(method)
  const options = Object.entries(properties).flatMap(([key, schema]) => {
    const facts: TSchema & OptionFacts = schema
    if (facts.private === true || facts.place === true || facts.fromFile !== undefined) return []
    return [
      {
        key,
        says: facts.description ?? "",
        ...(facts.enum && { values: [...facts.enum] }),
        ...(facts.type === "boolean" && { values: ["true", "false"] }),
        ...(facts.minimum !== undefined && { minimum: facts.minimum }),
        ...(facts.maximum !== undefined && { maximum: facts.maximum }),
        ...(facts.default !== undefined && { default: facts.default }),
      },
    ]
  })
  return { name: method.name, summary: method.summary, releases: method.releases ?? "rows", options }
}

/** The complete points of the present log. */
export async function readPoints(view: ProjectView, of: Extent): Promise<FoundPoint[]> {
  const folder = join(frontierFolder(view, of), pointsFolder)
  const found: FoundPoint[] = []
  for (const name of (await readdir(folder).catch((): string[] => [])).sort()) {
    const hash = hashOf(name)
    const result = hash === undefined ? undefined : await readResult(join(folder, name))
    if (result !== undefined) found.push({ id: `${of}-${hash}`, of, result })
  }
  return found
}

async function readResult(path: string): Promise<PointResult | undefined> {
  try {
    const result: PointResult = JSON.parse(await readFile(path, "utf8"))
    return Array.isArray(result.scores) ? result : undefined
  } catch {
    return undefined // being written, or damaged: the next run computes it again
  }
}

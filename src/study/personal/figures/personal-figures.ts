import type { Figure, PointResult } from "../../study.ts"
import { gather, tableFigureData } from "../../swap/rows.ts"
import { attackFigures } from "./attack-figures.ts"
import { clarityFigures } from "./clarity-figures.ts"
import { costFigures } from "./cost-figures.ts"
import { nameDelta } from "./names.ts"
import { qualityFigures } from "./quality-figures.ts"
import { stepFigures } from "./step-figures.ts"

/** All figures of the study that have data. */
export function personalFigures(results: readonly PointResult[]): Figure[] {
  const people = gather(results, "people", [])
  const figures: Figure[] = [
    ...stepFigures(gather(results, "steps", [])),
    ...costFigures(results),
    ...qualityFigures(nameDelta(gather(results, "quality", []))),
    ...clarityFigures(results),
    ...attackFigures(nameDelta(gather(results, "attack", []))),
    {
      id: "people",
      title: "People of the study",
      caption: [
        "searches: those about which the profile has a topic. searches judged:",
        "those with results that are known to be relevant or not.",
      ].join(" "),
      data: tableFigureData(people, Object.keys(people[0] ?? {})),
    },
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

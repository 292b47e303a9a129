import type { TObject } from "#typebox"
import { findMethod, methodOptions } from "../release/anonymize.ts"
import { parametersOf } from "../study/frontier/point.ts"
import type { Point } from "../study/study.ts"
import { flagWords } from "./shell-words.ts"

/**
 * `anonymize METHOD LOG … -o release --audit release.audit` for a point of a frontier that is within a risk. It lists
 * every parameter that the choice is based on, including defaults. A path that looks like a flag gets `./` in front.
 */
export function anonymizeWords(
  point: Point,
  { paths, read = [], maxRisk }: { paths: readonly string[]; read?: readonly string[]; maxRisk: number },
): string[] {
  const method = findMethod(String(point.method))
  const { properties }: TObject = methodOptions(method)
  // Rows are attacked again before they are written. Tables instead declare that their parameters were chosen on the
  // data.
  const told = method.releases === "tables" ? ("chosenOnData" in properties ? { chosenOnData: true } : {}) : { maxRisk }
  return [
    "queryveil",
    "anonymize",
    method.name,
    ...paths.map((path) => (/^-./.test(path) ? `./${path}` : path)),
    ...read,
    ...flagWords({ ...parametersOf(point), ...told }),
    "-o",
    "release",
    "--audit",
    "release.audit",
  ]
}

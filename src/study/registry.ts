import { affinityStudy } from "./affinity-study.ts"
import { countsStudy } from "./counts-study.ts"
import { equalityStudy } from "./equality-study.ts"
import { frontierStudy } from "./frontier-study.ts"
import { groupsStudy } from "./groups-study.ts"
import { personalStudy } from "./personal-study.ts"
import type { Study } from "./study.ts"
import { swapStudy } from "./swap-study.ts"

/** Every study, by name. */
export const studies: readonly Study[] = [
  frontierStudy,
  equalityStudy,
  affinityStudy,
  groupsStudy,
  countsStudy,
  swapStudy,
  personalStudy,
]

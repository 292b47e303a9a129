import { affinityStudy } from "./affinity/affinity-study.ts"
import { countsStudy } from "./counts/counts-study.ts"
import { equalityStudy } from "./equality/equality-study.ts"
import { frontierStudy } from "./frontier/frontier-study.ts"
import { groupsStudy } from "./groups/groups-study.ts"
import { personalStudy } from "./personal/personal-study.ts"
import type { Study } from "./study.ts"
import { swapStudy } from "./swap/swap-study.ts"

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

import type { Method } from "../method.ts"
import { composeProfiles } from "./compose-profiles.ts"
import { explainProfiles } from "./explain.ts"
import { openLogProfiles } from "./log-profiles.ts"
import { checkGroups, profilesOptions, settleGroups } from "./options.ts"

/**
 * Topic profiles that can be published, for the user profiles of Pàmies-Estrems et al. 2020, §III-C. Users with similar
 * topics are grouped, and each group shows one profile.
 *
 * Guarantee: the unit is a user. Each profile is the same for at least `groupSize` users. For each of its topics, at
 * least k of them searched for it or a topic below it. Names of profiles are drawn at random and are linked to nothing.
 * Shown by construction; the verifier counts again from the log and the members that the audit lists.
 */
export const profiles: Method<typeof profilesOptions> = {
  name: "profiles",
  summary: "release topic profiles that many users share, under random names",
  options: profilesOptions,
  releases: "tables",
  paper: {},
  settle: settleGroups,
  check: checkGroups,
  async run(log, options, context) {
    const { taxonomy, topics } = await openLogProfiles(log, options, context)
    const subject = { topics, nameOf: (user: number) => log.users.text(user), taxonomy, counted: log.unit }
    return composeProfiles({ ...subject, source: "log" }, options, context)
  },
  explain: explainProfiles,
}

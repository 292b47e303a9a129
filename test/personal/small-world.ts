import type { Words } from "../support/synthetic-profiles.ts"

/**
 * A tree whose numbers are powers of two, so that everything can be computed by hand. Public supports, of 64:
 *   a 32 (a/x 16, a/y 8), b 16 (b/z 4), c 8. So IC is 1 for a, 2 for x and b, 3 for y and c, 4 for z.
 *   Preferences Pr(t | q, H): x 1/2, y 1/4, z 1/4. Pr(t | q): x 1/4, y 1/8, z 1/8, c 1/2.
 */
export const smallWorld: Words = {
  taxonomy: { "": 8, a: 8, "a/x": 16, "a/y": 8, b: 12, "b/z": 4, c: 8 },
  profile: { "a/x": 2, "a/y": 1, "b/z": 1 },
  topics: { "a/x": 2, "a/y": 1, "b/z": 1, c: 4 },
  sensitive: { "a/y": 1, "b/z": 3 },
}

/**
 * Twelve topics for which both greedy algorithms first cut what is harmless: what they prune costs little information,
 * but removes no risk.
 */
export const twelveTopics: Words = {
  taxonomy: {
    "": 195,
    arts: 5,
    "arts/film": 1,
    "arts/music": 4,
    "arts/music/jazz": 7,
    "arts/music/opera": 1,
    health: 1,
    "health/fitness": 6,
    "health/fitness/running": 8,
    "health/illness": 3,
    "health/illness/asthma": 4,
    sports: 7,
    "sports/tennis": 3,
  },
  profile: {
    "arts/film": 2,
    "arts/music/jazz": 1,
    "arts/music/opera": 9,
    "health/fitness/running": 1,
    "health/illness/asthma": 4,
    "sports/tennis": 1,
  },
  topics: {
    "arts/film": 1,
    "arts/music/jazz": 1,
    "arts/music/opera": 1,
    "health/fitness/running": 1,
    "health/illness/asthma": 1,
    "sports/tennis": 1,
  },
  sensitive: { "health/illness/asthma": 5, "arts/music/opera": 1, "sports/tennis": 3, "arts/film": 4 },
}

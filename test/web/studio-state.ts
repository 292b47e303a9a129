import type { StudioState } from "../../web/studio/answers.ts"

type Read = NonNullable<NonNullable<StudioState["log"]>["read"]>

/** The state of a project in which nothing was done yet. */
export function emptyState(): StudioState {
  return {
    project: {
      id: "0".repeat(32),
      folder: "/srv/projects/spring-release",
      created: "2026-01-01T00:00:00Z",
      revision: 3,
      version: "0.1.0",
      demo: false,
    },
    folders: ["/srv/logs", "/srv/archive"],
    log: null,
    exposure: null,
    exempt: 0,
    purpose: null,
    explore: { sample: null, whole: null, points: 0 },
    choice: null,
    budget: null,
    draft: null,
    releases: 0,
    jobs: [],
    disk: { bytes: 123_456_789, parts: {} },
    commands: {
      log: ["queryveil inspect /srv/logs/visits.csv --columns user=visitor_ref,query=phrase,time=when"],
      exposure: ["queryveil inspect /srv/logs/visits.csv --html exposure.html"],
      purpose: ["queryveil advise /srv/logs/visits.csv --use queries --max-risk 0.05"],
      explore: [],
      preview: [],
      check: [],
      sign: [],
      register: [],
    },
  }
}

/** The state of a project whose log was read. */
export function readState(changes: Partial<Read> = {}): StudioState {
  const read: Read = {
    stale: false,
    at: "2026-01-01T00:00:00Z",
    rows: 200_000,
    events: 180_000,
    users: 5432,
    queries: 91_000,
    urls: 31_000,
    rejected: 17,
    span: { first: "2025-03-01T00:00:00Z", last: "2025-05-31T23:00:00Z", days: 92 },
    readings: ["read as delimited: user=visitor_ref, query=phrase, time=when"],
    warnings: [],
    doubts: [],
    unit: "user",
    ...changes,
  }
  const files = [{ path: "/srv/logs/visits.csv", bytes: 12_345_678, state: "same" as const }]
  const reading = { columns: "user=visitor_ref,query=phrase,time=when" }
  return { ...emptyState(), log: { files, reading, person: "cookie", read } }
}

/** Names in a project's folder. Everything in it is private to the owner of the log. */
export declare const projectFile = "project.json"
/** The paths of a project's parts. */
export interface ProjectPaths {
  /** The folder itself. */
  root: string
  /** Settings. */
  settings: string
  /** The record of unmaskings, draws, signatures and hand-outs, as a hash chain. */
  record: string
  /** The parsed log. */
  cache: string
  /** What the log contains, from its last reading. */
  read: string
  /** What `inspect` found, and the samples of the exposure screen. */
  exposure: string
  /** Queries that are not scrubbed, one a line. */
  exempt: string
  /** Studies of the frontier, on a sample and on the whole log. */
  frontier: string
  /** The seeded draft, and its audit. */
  draft: string
  draftAudit: string
  /** One folder per release, with its receipt, report and signature next to it. */
  releases: string
  /** One folder per release. */
  audits: string
  ledger: string
  jobs: string
  token: string
}
/** Where the parts of a project are. */
export declare function projectPaths(root: string): ProjectPaths
/** The record of the project that a release belongs to, if it is where a project keeps its releases. */
export declare const recordOfRelease: (folder: string) => string

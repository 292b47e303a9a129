/** The server's answers, as its schemas say. */
export type {
  DraftView,
  Explore,
  Exposure,
  Job,
  Look,
  RegisterView,
  RowsPage,
  StudioState,
} from "../../src/app/project/studio-schema.ts"

import { type RowsRequest, RowsViewer } from "../../app/project/view-rows.ts"
import { serveShards } from "../../kernels/parallel.ts"

let viewer: { stamp: string; rows: RowsViewer } | undefined

/** Gives a page of a release. The release is read once; another stamp means another release. */
export function handle({ folder, stamp, request }: { folder: string; stamp: string; request: RowsRequest }) {
  if (viewer?.stamp !== stamp) viewer = { stamp, rows: new RowsViewer(folder) }
  return viewer.rows.page(request)
}

serveShards(handle)

/** A file of a point, as it was when the point was finished. */
export interface PointFile {
  /** Path relative to the study's folder. */
  path: string
  bytes: number
  sha256: string
}
/** All files that a point left in the study's folder. */
export declare function describeFiles(folder: string, hash: string): Promise<PointFile[]>
/** True if all files are present and unchanged. Sizes are compared first, because that is cheap. */
export declare function areWhole(folder: string, files: readonly PointFile[]): Promise<boolean>

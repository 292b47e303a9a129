/**
 * Parts of a study's folder: results of points, files that some points leave, drawings, and the tables behind the
 * drawings.
 */
export declare const pointsFolder = "points"
export declare const filesFolder = "releases"
export declare const figuresFolder = "figures"
export declare const dataFolder = "data"
export declare const pageFile = "index.html"
export declare const studyFile = "study.json"
/** The hash at the start of the name of a point's file or folder. It covers everything that the point depends on. */
export declare const hashOf: (name: string) => string | undefined
/** A folder that this process holds exclusively while it works on a study in it. */
export interface StudyFolder {
  path: string
}
/**
 * Locks a folder for a study until the work is done or the process ends, however it ends. The folder may be new, empty,
 * or hold an earlier study. A folder that was created here and stayed empty is removed again.
 */
export declare function withStudyFolder<T>(path: string, work: (folder: StudyFolder) => Promise<T>): Promise<T>

/** True if the disk is full, or a quota or size limit was reached. */
export declare const isFull: (error: unknown) => boolean
/** What a failed write means to a person. Errors of ours, and those that are none of the system's, stay as they are. */
export declare function writeError(path: string, cause: unknown): unknown

/** A new name under which a target is written before it takes its place. */
export declare const partialPath: (target: string) => string
/** A new name under which an old folder waits while it is replaced. */
export declare const replacedPath: (target: string) => string
/** True for the name of something that is being written, or was when its process ended. */
export declare const isPartial: (name: string) => boolean
/**
 * Clears up after processes of this machine that are gone: removes what they left unfinished, and puts back what they had
 * moved aside to replace it, if nothing has taken its place.
 */
export declare function sweepLeftovers(path: string): Promise<void>
/** True if there is something at the path. */
export declare const exists: (path: string) => Promise<boolean>

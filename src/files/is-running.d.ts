/** Whether a process of this machine still runs, be it another user's. */
export declare function isRunning(pid: number): boolean

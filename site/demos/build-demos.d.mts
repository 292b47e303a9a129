/** Writes `demos.js` and `demos.css` to a folder. Leaves its other files. */
export declare function buildDemos(outDir: string): Promise<void>

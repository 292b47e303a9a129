import type { Project } from "../../project/open-project.ts"
/** The folder of a release of the project, by its name. Refuses anything that is not a plain name. */
export declare function releaseFolder({ paths }: Project, name: string): string

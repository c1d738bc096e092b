/** Seeds that have found a fault of the service, and what they found. They are run again each time. */
export const foundSeeds: ReadonlyMap<number, string> = new Map()

/**
 * Seeds of each engine that find a fault that the service had, if somebody makes it again, and what it was. They are
 * run each time. A change of the simulation makes other histories: look again then for a seed, with the mutation of
 * this name.
 */
export const foundSeeds: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  sqlite: new Map([[5, 'a late judgement makes a stale branch fresh']]),
  postgres: new Map([[11, 'a connection is used again inside its transaction']]),
}

// How many cases the property tests try.

/** `npm run test:long` sets it. */
const isFull = process.env['FLOE_TEST_FULL'] === '1'

/** The number of runs of a property: `full` in `npm run test:long`; otherwise a tenth of that, and at least 100. */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.min(full, Math.max(100, Math.ceil(full / 10)))
}

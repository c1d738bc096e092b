// How many cases the tests of properties try.

/** The variable that asks for all of them; `npm run test:long` sets it. */
const isFull = process.env['FLOE_TEST_FULL'] === '1'

/** The number of runs of a property: `full` in `npm run test:long`, a tenth of that, and at least 50, otherwise. */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.min(full, Math.max(50, Math.ceil(full / 10)))
}

// Checks properties: how many cases they try, and with which seed.
import fc from 'fast-check'

/** `npm run test:properties` sets the variable. */
const isFull = process.env['FLOE_TEST_FULL'] === '1' || process.argv[1]?.endsWith('.long.test.ts') === true

/** Fixed, so that a commit gives the same result each time. */
const seed = readSeed(process.env['FLOE_TEST_SEED'] ?? '1')

function readSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`FLOE_TEST_SEED must be a whole number of up to nine digits: "${text}"`)
  return Number(text)
}

/**
 * Checks a property: its predicate must neither throw nor return false. A failure names the seed, the path and the
 * smallest counterexample that was found.
 * @param full The number of cases in `npm run test:properties` and in long tests; otherwise a tenth of it, and at least
 * 100.
 */
export async function checkProperty<Case>(
  full: number,
  property: fc.IRawProperty<Case>,
  options: Omit<fc.Parameters<Case>, 'seed' | 'numRuns'> = {},
): Promise<void> {
  const numRuns = isFull ? full : Math.max(100, full / 10)
  await fc.assert(property, { ...options, seed, numRuns })
}

/** Draws examples, the same ones with the same seed. */
export function drawExamples<Example>(arbitrary: fc.Arbitrary<Example>, count: number): Example[] {
  return fc.sample(arbitrary, { seed, numRuns: count })
}

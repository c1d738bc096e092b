/** How often {@link measureQuickest} runs what it measures. */
export const measuredRuns = 5

/**
 * How long `act` takes when it is quickest, in milliseconds. A busy machine makes single runs late, and what is late by its nature makes
 * all of them late. Runs after the first begin when the one before has ended.
 */
export async function measureQuickest(act: (run: number) => Promise<void>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < measuredRuns; run++) {
    const start = performance.now()
    await act(run)
    durations.push(performance.now() - start)
  }
  // The first may have begun just before a look that happens now and then.
  return Math.min(...durations.slice(1))
}

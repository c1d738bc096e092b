/** How often {@link measureQuickest} runs what it measures. */
export const measuredRuns = 5

/**
 * Runs `act` several times and returns the shortest duration, in milliseconds. A busy machine delays single runs; a
 * delay in the code delays all of them.
 */
export async function measureQuickest(act: (run: number) => Promise<void>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < measuredRuns; run++) {
    const start = performance.now()
    await act(run)
    durations.push(performance.now() - start)
  }
  // The first run may have begun just before a check that happens now and then.
  return Math.min(...durations.slice(1))
}

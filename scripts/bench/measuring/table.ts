/** One line of the table. */
export type Row = {
  readonly what: string
  /** Floe's figure in each round. */
  readonly floe: readonly number[]
  readonly unit: 'requests a CPU second' | 'ms' | 'MB'
  /** A peer's figures in the same rounds. */
  readonly peer?: { readonly name: string; readonly values: readonly number[] }
}

/** Writes rows as a Markdown table: medians with the smallest and the largest value. */
export function writeTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, floe, unit, peer }) => {
    const ratios = peer?.values.map((value, round) => (floe[round] ?? Number.NaN) / value)
    const beside = peer && ratios ? `${peer.name}: ${showRange(peer.values)} | ${showRange(ratios)}` : '|'
    return `| ${what} | ${showRange(floe)} ${unit} | ${beside} |`
  })
  return ['| what | Floe | beside | Floe : peer |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

/** Shows the median with the smallest and the largest value, or the only value. */
export function showRange(values: readonly number[]): string {
  const median = showNumber(findMedian(values))
  return values.length < 2
    ? median
    : `${median} (${showNumber(Math.min(...values))} to ${showNumber(Math.max(...values))})`
}

/** At most three significant digits, or whole thousands with their separators. */
function showNumber(value: number): string {
  return value.toLocaleString('en', value < 1_000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })
}

/** Returns the middle value, or the upper of two middle values. */
export function findMedian(values: readonly number[]): number {
  return findPercentile(values, 50)
}

/** Returns the smallest value that is larger than this many percent of the values. */
export function findPercentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN
}

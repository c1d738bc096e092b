/** Positions of chunks: those from the first to the last along each dimension, inclusive. */
export type ChunkRange = { readonly first: readonly number[]; readonly last: readonly number[] }

type Range = { readonly first: number[]; readonly last: number[] }

/** Positions that come in order, in few ranges. */
export class ChunkRanges {
  readonly ranges: Range[] = []
  readonly #most: number
  /** Whether there were more than fit. */
  isCut = false

  constructor(most: number) {
    this.#most = most
  }

  /** @param first belongs to the ranges from now on */
  add(first: number[]): void {
    const before = this.ranges.at(-1)
    const range = { first, last: [...first] }
    if (before !== undefined && join(before, range, first.length - 1)) return
    // A row has ended: with those before it, it can be a plane.
    while (this.#joinLast());
    if (this.ranges.length < this.#most) this.ranges.push(range)
    else this.isCut = true
  }

  #joinLast(): boolean {
    const [before, range] = this.ranges.slice(-2)
    if (before === undefined || range === undefined) return false
    const joined = range.first.some((_, axis) => join(before, range, axis))
    if (joined) this.ranges.pop()
    return joined
  }
}

/** Joins ranges that together are one. */
export function mergeRanges(ranges: readonly ChunkRange[]): Range[] {
  let merged = ranges.map(({ first, last }) => ({ first: [...first], last: [...last] }))
  merged.sort((a, b) => compare(a.first, b.first))
  for (let axis = (ranges[0]?.first.length ?? 0) - 1; axis >= 0; axis--) merged = mergeAlong(merged, axis)
  return merged
}

function mergeAlong(ranges: readonly Range[], axis: number): Range[] {
  /** The last range of those that differ along this dimension only. */
  const open = new Map<string, Range>()
  return ranges.filter((range) => {
    const others = [...range.first, ...range.last].filter((_, at) => at % range.first.length !== axis).join()
    const before = open.get(others)
    if (before !== undefined && join(before, range, axis)) return false
    open.set(others, range)
    return true
  })
}

/** Extends a range by the one that follows it along a dimension. Returns false if both are not alike otherwise. */
function join(before: Range, { first, last }: ChunkRange, axis: number): boolean {
  if ((before.last[axis] ?? 0) + 1 !== first[axis]) return false
  for (let other = 0; other < first.length; other++)
    if (other !== axis && (before.first[other] !== first[other] || before.last[other] !== last[other])) return false
  before.last[axis] = last[axis] ?? 0
  return true
}

function compare(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((position, at) => position !== b[at])
  return axis === -1 ? 0 : (a[axis] ?? 0) - (b[axis] ?? 0)
}

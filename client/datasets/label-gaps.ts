import type { ArrayGaps, ChunkGap } from '../generated/types.ts'

/** The values of coordinates by the name of their dimension. */
export type CoordinateValues<Value> = Readonly<Record<string, ArrayLike<Value>>>

/** A gap, with the coordinates of its first and its last element. */
export type LabelledGap<Value> = ChunkGap & { readonly values: readonly [first: Value, last: Value] }

/** The coordinates do not fit the gaps, or chunks have different sizes, so that a position tells no element. */
export class CoordinatesError extends Error {
  override readonly name = 'CoordinatesError'
}

/**
 * Labels the gaps of an array, whose positions are those of chunks, with values of the coordinate along which they are
 * listed. Read the coordinate from the same snapshot.
 *
 * @param array an array of the answer of `gaps`
 * @param coordinates the coordinate of `along`; others are ignored
 * @throws CoordinatesError
 * @example
 * ```ts
 * const { arrays } = await floe.gaps({ repo: 'weather', ref: snapshotId, along: 'time' })
 * for (const array of arrays)
 *   for (const { values } of labelGaps(array, { time: times })) console.log(array.path, ...values)
 * ```
 */
export function labelGaps<Value>(
  { along, gaps, dimensions }: Pick<ArrayGaps, 'along' | 'gaps' | 'dimensions'>,
  coordinates: CoordinateValues<Value>,
): LabelledGap<Value>[] {
  const dimension = dimensions.find(({ name }) => name === along)
  if (gaps.length === 0 || dimension === undefined) return []
  const { name, positions, size } = dimension
  const values = Object.hasOwn(coordinates, name) ? coordinates[name] : undefined
  if (values === undefined) throw new CoordinatesError(`there are no coordinates of ${name}`)
  if (size === null) throw new CoordinatesError(`the chunks along ${name} have different sizes`)
  const { length } = values
  if (Math.ceil(length / size) !== positions)
    throw new CoordinatesError(
      `${name} has ${length} coordinates, which do not fit ${positions} chunks of ${size}: is this another snapshot?`,
    )
  return gaps.map((gap) => {
    const [first, last] = [values[gap.first * size], values[Math.min((gap.last + 1) * size, length) - 1]]
    // The length was checked: a value that is undefined here is one of the caller's.
    return { ...gap, values: [first as Value, last as Value] }
  })
}

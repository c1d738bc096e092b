/** Multiplies the counts along all dimensions. */
export function multiply(counts: readonly number[]): number {
  return counts.includes(0) ? 0 : counts.reduce((product, count) => product * count, 1)
}

/** How far two positions are apart that are adjacent along each dimension, when the last dimension is the fastest. */
export function listStrides(counts: readonly number[]): readonly number[] {
  const strides = counts.map(() => 1)
  for (let axis = counts.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (counts[axis + 1] ?? 1)
  }
  return strides
}

/** Counts the distinct rows of a table. Sorts them, because hostile rows could make a hash table slow. */
export function countDistinctRows(table: Uint32Array, columns: number): number {
  if (isAscending(table, columns)) return table.length / columns
  // Each row becomes one number, column by column. Numbers that would exceed the exact integers are first replaced by
  // their ranks.
  let keys = new Float64Array(table.length / columns)
  for (let column = 0; column < columns; column++) {
    const base = findLargest(table, column, columns) + 1
    if ((findLargest(keys, 0, 1) + 1) * base > Number.MAX_SAFE_INTEGER) keys = rankKeys(keys)
    for (let row = 0; row < keys.length; row++)
      keys[row] = (keys[row] ?? 0) * base + (table[row * columns + column] ?? 0)
  }
  return listDistinct(keys).length
}

/** Whether each row is greater than the row before it. Icechunk writes them in this order. */
function isAscending(table: Uint32Array, columns: number): boolean {
  for (let start = columns; start < table.length; start += columns) {
    let at = start
    while (at < start + columns - 1 && table[at] === table[at - columns]) at++
    if ((table[at] ?? 0) <= (table[at - columns] ?? 0)) return false
  }
  return true
}

function findLargest(numbers: ArrayLike<number>, first: number, step: number): number {
  let largest = 0
  for (let at = first; at < numbers.length; at += step) largest = Math.max(largest, numbers[at] ?? 0)
  return largest
}

/** Replaces each key by its rank among the distinct keys. */
function rankKeys(keys: Float64Array): Float64Array<ArrayBuffer> {
  const distinct = listDistinct(keys)
  return Float64Array.from(keys, (key) => {
    let low = 0
    let high = distinct.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((distinct[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return low
  })
}

function listDistinct(keys: Float64Array): Float64Array {
  const sorted = keys.slice().sort()
  let count = 0
  for (const key of sorted) {
    if (count > 0 && sorted[count - 1] === key) continue
    sorted[count++] = key
  }
  return sorted.subarray(0, count)
}

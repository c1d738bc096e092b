import { getHeapStatistics } from 'node:v8'

/** What a piece of work took. */
export type Cost = {
  /** Processor time, because a busy machine must not cause findings. */
  readonly milliseconds: number
  /** Growth of the heap and of the buffers outside of it. */
  readonly bytes: number
}

/** The most that one question about a repository may take: a fifth of the time that a reader thread has for it. */
const limits: Cost = { milliseconds: 2_000, bytes: 256 * 1024 * 1024 }

/** Begins to measure; call the result to end. Takes a few microseconds, so that each of millions of questions can be measured. */
export function startMeasuring(): () => Cost {
  const bytesBefore = countBytes()
  const timeBefore = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(timeBefore)
    return { milliseconds: (user + system) / 1000, bytes: countBytes() - bytesBefore }
  }
}

function countBytes(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  return heap + buffers
}

/** Says which limit was exceeded; undefined when none was. */
export function explainExcess(cost: Cost): string | undefined {
  return cost.milliseconds > limits.milliseconds || cost.bytes > limits.bytes ? `took ${writeCost(cost)}` : undefined
}

/** Writes a cost for people. */
export function writeCost({ milliseconds, bytes }: Cost): string {
  return `${Math.round(milliseconds)} ms of processor time, ${Math.round(bytes / 2 ** 20)} MiB of memory`
}

/** The larger of each. */
export function mergeCosts(one: Cost, other: Cost): Cost {
  return { milliseconds: Math.max(one.milliseconds, other.milliseconds), bytes: Math.max(one.bytes, other.bytes) }
}

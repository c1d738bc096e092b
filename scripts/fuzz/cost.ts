import { getHeapStatistics } from 'node:v8'

/** Resources that a piece of work took. */
export type Cost = {
  /** Processor time, because a busy machine must not cause findings. */
  readonly milliseconds: number
  /** Growth of the heap and of external buffers. */
  readonly bytes: number
}

/** Limits of one question about a repository. The time is a fifth of a reader thread's limit. */
const limits: Cost = { milliseconds: 2_000, bytes: 256 * 1024 * 1024 }

/**
 * Starts a measurement; call the result to end it. Takes only microseconds, because millions of questions are measured.
 */
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

/** Explains an exceeded limit; undefined when none is exceeded. */
export function explainExcess(cost: Cost): string | undefined {
  return cost.milliseconds > limits.milliseconds || cost.bytes > limits.bytes ? `took ${writeCost(cost)}` : undefined
}

export function writeCost({ milliseconds, bytes }: Cost): string {
  return `${Math.round(milliseconds)} ms of processor time, ${Math.round(bytes / 2 ** 20)} MiB of memory`
}

/** Returns the larger time and the larger memory. */
export function mergeCosts(a: Cost, b: Cost): Cost {
  return { milliseconds: Math.max(a.milliseconds, b.milliseconds), bytes: Math.max(a.bytes, b.bytes) }
}

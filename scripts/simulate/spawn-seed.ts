import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The output of the run of a seed, and the fault that it found. */
export type SeedResult = { readonly printed: string; readonly fault: string | undefined }

type SpawnOptions = {
  /** The project, or a copy of it. */
  readonly cwd: string
  /** Most seconds of the processor. To need more is a fault, but not to last long on a busy machine. */
  readonly limitSeconds: number
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Runs a seed in a process of its own.
 *
 * @throws Error when the process fails without a result
 */
export async function spawnSeed(
  seed: number,
  args: readonly string[],
  { cwd, limitSeconds, env = {} }: SpawnOptions,
): Promise<SeedResult> {
  // Fewer collections of garbage, most of which is short-lived.
  const options = ['--max-semi-space-size=64', '--conditions=@floe/source', 'scripts/simulate/run-seed.ts']
  const run = [process.execPath, ...options, '--seed', String(seed), ...args]
  const child = spawn('sh', ['-c', 'ulimit -S -t "$0" && exec "$@"', String(limitSeconds), ...run], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  // Only then is it known how it ended.
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (child.signalCode !== null) {
    const why = `${child.signalCode} ended it, and it may use ${limitSeconds} s of the processor`
    return { printed, fault: `FAULT: ${why}` }
  }
  const lines = printed.split('\n')
  if (!lines.some((line) => line.startsWith('seed '))) throw new Error(`seed ${seed} could not be run`)
  return { printed, fault: lines.find((line) => line.startsWith('FAULT')) }
}

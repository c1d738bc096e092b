// A process of a benchmark with its children: its address, processor time and memory. Linux only, because the figures
// come from /proc.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Clock ticks of /proc in a second, the same on every Linux that Node supports. */
const ticksPerSecond = 100

/** Longest wait for a process to answer, in milliseconds. */
const startLimitMs = 60_000

// The processes are not in the group of this one, so a signal to it must end them. Without a listener, a signal causes
// no `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** A running process with its children. */
export type MeasuredProcess = {
  /** Processor time so far, in seconds. */
  readonly readCpuSeconds: () => Promise<number>
  /** Processor time so far by the names of threads, in seconds. Threads of the same name count together. */
  readonly readThreadSeconds: () => Promise<ReadonlyMap<string, number>>
  /** Resident memory, in MB. */
  readonly readMemory: () => Promise<number>
  /** Number of open files, with sockets. */
  readonly readOpenFiles: () => Promise<number>
  /** Resolves when it has ended. */
  readonly stop: () => Promise<void>
}

export type StartOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** An address that answers with any status when the process is ready. */
  readonly readyUrl: string
}

/** Starts a process and waits until it answers. */
export async function startProcess({ command, args, environment, readyUrl }: StartOptions): Promise<MeasuredProcess> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
    // Its own process group, so that its children are measured and stopped with it.
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} cannot be started`)
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    process.kill(-pid, 'SIGTERM')
    await ended
  }
  const kill = () => void process.kill(-pid, 'SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  try {
    await Promise.race([
      waitForAnswer(readyUrl),
      ended.then(([code]) => Promise.reject(new Error(`${command} ended with ${code}`))),
    ])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    readCpuSeconds: async () => sum(await readGroup(pid, readTicks)) / ticksPerSecond,
    readThreadSeconds: async () => sumByName((await readGroup(pid, readThreads)).flat()),
    readMemory: async () => sum(await readGroup(pid, readMemory)),
    readOpenFiles: async () =>
      sum(await readGroup(pid, async (member) => (await readdir(`/proc/${member}/fd`)).length)),
    stop,
  }
}

async function waitForAnswer(url: string): Promise<void> {
  const end = performance.now() + startLimitMs
  while (performance.now() < end) {
    try {
      await (await fetch(url, { signal: AbortSignal.timeout(1_000) })).arrayBuffer()
      return
    } catch {
      // It does not listen yet.
      await setTimeout(5)
    }
  }
  throw new Error(`${url} did not answer within ${startLimitMs / 1000} s`)
}

/** Reads a value of every process of a group, without processes that end meanwhile. */
async function readGroup<Value>(group: number, read: (pid: string) => Promise<Value>): Promise<Value[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const values = await Promise.all(
    pids.map(async (pid) => {
      try {
        return Number((await readStat(pid))[2]) === group ? [await read(pid)] : []
      } catch {
        return []
      }
    }),
  )
  return values.flat()
}

/**
 * The fields of /proc/PID/stat after the name of the program, which may contain spaces: state, parent, group and so on.
 */
async function readStat(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

async function readTicks(pid: string): Promise<number> {
  const fields = await readStat(pid)
  return Number(fields[11]) + Number(fields[12])
}

async function readThreads(pid: string): Promise<[name: string, seconds: number][]> {
  const threads = (await readdir(`/proc/${pid}/task`)).map(async (thread): Promise<[string, number]> => {
    const read = (file: string) => readFile(`/proc/${pid}/task/${thread}/${file}`, 'utf8')
    return [(await read('comm')).trim(), Number((await read('schedstat')).split(' ')[0]) / 1e9]
  })
  return Promise.all(threads)
}

async function readMemory(pid: string): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

function sumByName(threads: readonly (readonly [name: string, seconds: number])[]): Map<string, number> {
  const byName = new Map<string, number>()
  for (const [name, seconds] of threads) byName.set(name, (byName.get(name) ?? 0) + seconds)
  return byName
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

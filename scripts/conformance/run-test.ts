import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ProvenPromise } from './proven-promise.ts'

/** The result of a test, or of all tests of a loop. `explanation` is the reason of a skip, or the end of the output. */
export type TestResult = {
  readonly kind: 'passed' | 'failed' | 'skipped' | 'did not run' | 'did not end'
  readonly explanation: string
}

/** The time limit of tap, which ends a test that waits for ever. It cannot end one that computes for ever. */
const testSeconds = 120

/** Lines of output that explain why a test did not run. */
const shownLines = 20

/** Runs a test of a copy of the project in its own process, which is killed when the signal is aborted. */
export async function runTest(
  copy: string,
  [file, title]: ProvenPromise['test'],
  signal: AbortSignal,
): Promise<TestResult> {
  const pattern = matchTitle(title)
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TAP'))
  const child = spawn(process.execPath, ['--conditions=@floe/source', join('test', file)], {
    cwd: copy,
    // Its own process group, so that the processes of a test end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      TAP_GREP: String(pattern),
      TAP_TIMEOUT: String(testSeconds),
      NODE_COMPILE_CACHE: join(copy, 'compiled'),
    },
  })
  const kill = () => killGroup(child.pid)
  signal.addEventListener('abort', kill)
  try {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const result = findResult(out, pattern)
    // Of several tests of a loop, some may have passed before the one that was killed.
    if (signal.aborted && result?.kind !== 'failed') return { kind: 'did not end', explanation: takeEnd(out + err) }
    return result ?? { kind: 'did not run', explanation: takeEnd(out + err) }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** Tests of databases have the name of the engine before their titles. */
function matchTitle(title: string): RegExp {
  const literals = title.split('…').map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`^(?:\\w+: )?${literals.join('.*')}$`)
}

/** Finds the TAP lines with the results of top-level tests. One that failed decides, then one that passed. */
function findResult(tap: string, title: RegExp): TestResult | undefined {
  let result: TestResult | undefined
  for (const line of tap.split('\n')) {
    const [, not, name = '', rest = ''] = /^(not )?ok \d+ - (.*?)((?: # .*)?)$/.exec(line) ?? []
    if (!title.test(name)) continue
    if (not !== undefined) return { kind: 'failed', explanation: takeEnd(tap) }
    const skip = /^ # skip *(.*)$/i.exec(rest)
    if (!skip) result = { kind: 'passed', explanation: '' }
    else result ??= { kind: 'skipped', explanation: skip[1] ?? '' }
  }
  return result
}

function takeEnd(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.includes(' # SKIP filter: '))
  return lines.slice(-shownLines).join('\n')
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}

// Loads a server with wrk, which takes little processor time. A client in Node.js would be slower than the servers.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Longest wait for one answer, in seconds. */
const answerLimitS = 30

type Load = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

/**
 * Sends requests over some connections for some seconds, each after the previous answer. Returns the number of answers.
 */
export async function runWrk({ url, headers, connections, seconds }: Load): Promise<number> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', `${answerLimitS}s`, ...fields, url]
  const run = promisify(execFile)('wrk', args, { timeout: (seconds + answerLimitS) * 1_000 })
  const { stdout } = await run.catch((cause: unknown) => {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new Error(isMissing ? 'wrk is missing: install it, such as with apt-get install wrk' : 'wrk failed', {
      cause,
    })
  })
  const answers = /(\d+) requests in /.exec(stdout)?.[1]
  if (answers === undefined || /Socket errors|Non-2xx/.test(stdout)) throw new Error(`${url}: wrk says ${stdout}`)
  return Number(answers)
}

// `npm run tap FILE...`: runs test files, each in a process of its own, and reports what they say. Files are named by paths or patterns.
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Spawn, tap } from '@tapjs/core'
import { Report } from './report.ts'

/** Files that run at the same time. */
const jobs = 2

/**
 * The time for one file and, if it does not set another with `t.setTimeout`, for each of its tests. Some files start dozens of processes: 15 s
 * on a machine of today, and several times as long on one that has other things to do.
 */
const limitSeconds = 300

/**
 * Options that keep tap's record of what a process loads out of a process and those that it starts: it is for coverage, and takes 0.7 s of
 * processor time. tap looks for it here, among other places, and adds it if it is missing.
 */
const withoutRecord = { execArgv: ['--import=@tapjs/processinfo/import'] }

const patterns = process.argv.slice(2)
const lists = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern))))
const unmatched = patterns.filter((_, index) => lists[index]?.length === 0)
if (patterns.length === 0 || unmatched.length > 0) {
  console.error(patterns.length === 0 ? 'usage: npm run tap FILE...' : `no file matches ${unmatched.join(' ')}`)
  process.exitCode = 1
} else runFiles([...new Set(lists.flat())].sort())

function runFiles(files: readonly string[]): void {
  // tap filters tests by their titles (TAP_GREP), but for a runner, whose tests are the files.
  const runner = tap({ context: Symbol.for('tap.isRunner') })
  runner.register()
  runner.setTimeout(0)
  runner.jobs = jobs
  const report = new Report()
  runner.pipe(report).pipe(process.stdout)
  const stop = () => {
    for (const file of runner.pool) if (file instanceof Spawn) file.proc?.kill()
    // The report ends here, without the files that were not begun.
    runner.unpipe(report)
    report.on('end', () => process.exit(1)).end()
  }
  runner.on('spawn', (file) => file.on('preprocess', (options) => Object.assign(options, withoutRecord)))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const env = {
    ...process.env,
    TAP_TIMEOUT: String(limitSeconds),
    // Each file is a process of its own that loads the same modules. Node keys its cache by their content.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
  }
  for (const file of files) {
    const options = { name: file, at: null, stack: '', buffered: true, timeout: limitSeconds * 1000, env }
    runner.spawn(process.execPath, [...process.execArgv, file], options)
  }
  // No plan: tap would count the time limit of a file as one more test, and leave out the last file.
  runner.end()
}

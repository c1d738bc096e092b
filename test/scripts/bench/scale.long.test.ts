// The rows of `npm run bench -- scale`, small, so that the programs still run when somebody wants figures.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'

const program = fileURLToPath(new URL('../../../scripts/bench/scale/scale.ts', import.meta.url))
const isLinux = process.platform === 'linux'

/**
 * Rows by a size that takes seconds. That of `soak` is in minutes. `organisations` and `branch-polls` run the code of
 * others.
 */
const rowsBySize = {
  50: ['repositories', 'organisation-receivers', 'replicas', 'isolation', 'remote-polls', 'cold'],
  0.1: ['soak'],
}

t.setTimeout(1_000_000)

for (const [size, rows] of Object.entries(rowsBySize)) {
  t.test(`${rows.join(', ')} end with figures`, { skip: isLinux ? false : 'reads /proc' }, async (t) => {
    const args = ['--conditions=@floe/source', program, ...rows, '--size', size]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 })
    for (const row of rows) {
      const lines = stdout.split('\n').filter((line) => line.startsWith(`| ${row} ${size}: `))
      t.ok(lines.length >= 2, stdout)
      t.ok(
        lines.every((line) => /\| SQLite \| -?[\d,.]+ \|$/.test(line)),
        lines.join('\n'),
      )
    }
  })
}

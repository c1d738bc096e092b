// Each row of `npm run bench -- scale`, small, so that the programs still run when somebody wants figures.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'

const program = fileURLToPath(new URL('../../../scripts/bench/scale/scale.ts', import.meta.url))
const isLinux = process.platform === 'linux'

/** A size of each row that takes seconds. That of `soak` is in minutes. */
const sizes = {
  organisations: 50,
  repositories: 100,
  'organisation-receivers': 20,
  replicas: 100,
  cold: 100,
  isolation: 300,
  'remote-polls': 50,
  soak: 0.1,
}

// Each row has two minutes.
t.setTimeout(1_000_000)

for (const [row, size] of Object.entries(sizes)) {
  t.test(`the row ${row} ends with figures`, { skip: isLinux ? false : 'reads /proc' }, async (t) => {
    const args = ['--conditions=@floe/source', program, row, '--size', String(size)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 })
    const lines = stdout.split('\n').filter((line) => line.startsWith(`| ${row} ${size}: `))
    t.ok(lines.length >= 2, stdout)
    t.ok(
      lines.every((line) => /\| SQLite \| -?[\d,.]+ \|$/.test(line)),
      lines.join('\n'),
    )
  })
}

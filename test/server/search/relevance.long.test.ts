// `npm run compare -- relevance`, for somebody who changes the order of results. It fails below 90 %.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { findPython } from '../../find-python.ts'

const python = findPython('icechunk, xpublish, httpx2')

t.test('the right dataset and variable come first for what scientists ask', { skip: python.skip }, async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const env = { ...process.env, PYTHONPATH: `${root}scripts` }
  const options = { cwd: root, env, timeout: 590_000, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync(python.command, ['-m', 'compare.relevance'], options)
  t.equal(status, 0, stdout)
  t.match(stdout, /\d+ of 67 questions right \(\d+%\)/)
})

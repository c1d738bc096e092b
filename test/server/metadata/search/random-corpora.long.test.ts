// Searches in 200 random corpora that official Icechunk wrote find what a plain scan of xarray's answers finds, by rules written in Python.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { findPython } from '../../../find-python.ts'

const python = findPython('icechunk, xpublish, httpx2')

t.test('searches in random corpora find what a plain scan finds', { skip: python.skip }, async (t) => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const env = { ...process.env, PYTHONPATH: `${root}scripts` }
  const options = { cwd: root, env, timeout: 280_000, maxBuffer: 100_000_000 }
  const { stdout } = await promisify(execFile)(python.command, ['-m', 'compare.search', '--corpora', '200'], options)
  t.match(stdout, /3200 searches/)
})

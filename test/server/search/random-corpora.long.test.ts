// Random callers find in random repositories, which official Icechunk wrote, what a plain scan of xarray's answers
// finds
// in those that they may read, by rules written in Python.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { findPython } from '../../find-python.ts'

const python = findPython('icechunk, xpublish, httpx2, snowballstemmer')

t.test('callers find what a plain scan finds in what they may read', { skip: python.skip }, async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const env = { ...process.env, PYTHONPATH: `${root}scripts` }
  const options = { cwd: root, env, timeout: 590_000, maxBuffer: 100_000_000 }
  const { stdout } = await promisify(execFile)(python.command, ['-m', 'compare.search'], options)
  t.match(stdout, /\b800 searches\b/)
  const [, ofPart] = /(\d+) searches of callers who may read a part/.exec(stdout) ?? []
  t.ok(Number(ofPart) >= 500, `${ofPart} searches with walls`)
})

// `npm run conformance` runs the tests and makes the mutations; this finds out in a second that one of them has moved.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { promiseSections } from '../../../scripts/conformance/promise-sections.ts'
import { escapePattern } from '../../../scripts/conformance/run-test.ts'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')

/**
 * The titles of the tests of a file, as patterns: `${...}` in a title stands for anything. Tests of databases, which call `test`, have the
 * name of the engine before their titles.
 */
function listTitles(source: string): RegExp[] {
  return [...source.matchAll(/(\.)?\btest\(\s*(['"`])(.+?)(?<!\\)\2,/g)].map(([, dot, , title = '']) => {
    const literal = title.replaceAll("\\'", "'").split(/\$\{[^}]*\}/)
    return new RegExp(`^${dot === undefined ? '\\w+: ' : ''}${literal.map(escapePattern).join('.*')}$`)
  })
}

t.test('each promise has a test and a mutation of its own, both of something that exists', async (t) => {
  const promises = promiseSections.flatMap((section) => section.promises)
  t.ok(promises.length > 60, `${promises.length} promises`)
  t.equal(new Set(promises.map(({ promise }) => promise)).size, promises.length)
  for (const { promise, test, mutation } of promises) {
    const [testFile, title] = test
    const titles = listTitles(await read(`test/${testFile}`))
    t.equal(titles.filter((pattern) => pattern.test(title)).length, 1, `${promise}: ${title}`)
    const [file, text, replacement] = mutation
    t.equal((await read(file)).split(text).length, 2, `${promise}: ${text}`)
    t.not(text, replacement)
  }
  const mutations = promises.map(({ mutation }) => mutation.join('\n'))
  t.equal(new Set(mutations).size, mutations.length)
})

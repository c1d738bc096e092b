import { execFile } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { listObstacles } from '../../scripts/packages/list-obstacles.ts'

const client = { name: '@floe/client', version: '0.2.0', repository: 'git+https://git.floe.dev/floe.git' }
const changelog = '# @floe/client\n\n## 0.2.0\n\n- Faster.\n'

/** Makes a repository of git in which everything is committed. */
async function makeRepository(
  t: Test,
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<string> {
  const root = t.testdir(files)
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: root })
  await git('init', '--quiet')
  await git('add', '.')
  const author = ['-c', 'user.name=Floe', '-c', 'user.email=floe@example.org']
  await git(...author, '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'All')
  return root
}

t.test('a package whose changelog knows its version can be published', async (t) => {
  const root = await makeRepository(t, { '.changeset': { 'README.md': '' }, client: { 'CHANGELOG.md': changelog } })
  t.strictSame(await listObstacles(root, [client]), [])
})

t.test(
  'a release names the example address, changes without a version, and a missing entry of a changelog',
  async (t) => {
    const root = await makeRepository(t, { '.changeset': { 'new-fish.md': '' }, client: { 'CHANGELOG.md': changelog } })
    const example = { ...client, version: '0.3.0', repository: 'git+https://git.example.org/floe/floe.git' }
    t.match(await listObstacles(root, [example]), [
      /^`repository` .* is still an example/,
      /^\.changeset\/ has changes/,
      'client/CHANGELOG.md does not know 0.3.0: run npm run changeset version',
    ])
  },
)

t.test('a release names changes that are not committed, which nobody could find again', async (t) => {
  const root = await makeRepository(t, { '.changeset': { 'README.md': '' }, client: { 'CHANGELOG.md': changelog } })
  await appendFile(join(root, 'client/CHANGELOG.md'), 'Also bluer.')
  t.match(await listObstacles(root, [client]), [/^the packages have changes that no commit has/])
})

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackedPackage } from './pack.ts'

/**
 * Lists why the packages should not be published yet.
 *
 * @param root - directory of the project
 */
export async function listObstacles(
  root: string,
  packages: readonly Pick<PackedPackage, 'name' | 'version' | 'repository'>[],
): Promise<string[]> {
  const obstacles: string[] = []
  if (packages.some(({ repository }) => repository.includes('example.org'))) {
    obstacles.push('`repository` in each package.json is still an example: name the address of the project')
  }
  const { stdout: changes } = await promisify(execFile)('git', ['status', '--porcelain'], { cwd: root })
  if (changes !== '') {
    obstacles.push('the packages have changes that no commit has: commit or remove what git status lists')
  }
  const changesets = (await readdir(join(root, '.changeset'))).filter((file) => /(?<!README)\.md$/.test(file))
  if (changesets.length > 0) {
    obstacles.push('.changeset/ has changes that no version contains: run npm run changeset version')
  }
  for (const { name, version } of packages) {
    const file = `${name.slice('@floe/'.length)}/CHANGELOG.md`
    const changelog = await readFile(join(root, file), 'utf8')
    if (!changelog.includes(`\n## ${version}\n`)) {
      obstacles.push(`${file} does not know ${version}: run npm run changeset version`)
    }
  }
  return obstacles
}

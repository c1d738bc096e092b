import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildRepo, buildId, type RepoDescription } from '../test/storage/repositories/icechunk/build-object.ts'

/** Number of commits in a repository. */
const listedCommits = 20

/** Writes a version 2 repository whose head is the snapshot with this number. Each number is the parent of the next. */
export async function writeHead(directory: string, head: number): Promise<void> {
  const ids = Array.from({ length: listedCommits }, (_, index) => Math.max(0, head - listedCommits + 1 + index))
  const snapshots = [...new Set(ids)].map((id, index) => ({ id: buildId(id), parent: index - 1 }))
  await writeRepo(directory, { snapshots, branches: [['main', snapshots.length - 1]] })
}

/** Replaces the `repo` object of a version 2 repository at once. */
export async function writeRepo(directory: string, repo: RepoDescription): Promise<void> {
  await writeFile(join(directory, 'repo.new'), buildRepo(repo))
  await rename(join(directory, 'repo.new'), join(directory, 'repo'))
}

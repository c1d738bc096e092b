import { relative } from 'node:path'
import type { PackedPackage } from './pack.ts'

/**
 * Says what would be published, and how, unless something stands against it.
 *
 * @param root - directory of the project, in which the commands are run
 */
export function describeRelease(
  root: string,
  packages: readonly PackedPackage[],
  obstacles: readonly string[],
): string {
  const described = packages.map((packed) => describePackage(root, packed))
  const end =
    obstacles.length > 0
      ? ['Not yet:', '', ...obstacles]
      : // npm takes a path that does not begin with a dot for a repository on GitHub.
        ['To publish it:', '', ...packages.map((packed) => `npm publish --access public ./${toTarball(root, packed)}`)]
  return ['This would be published:', '', ...described, '', ...end].join('\n')
}

function describePackage(root: string, packed: PackedPackage): string {
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`
  const { name, version, size, unpackedSize, files } = packed
  const sizes = `${files.length} files, ${kilobytes(unpackedSize)}, packed ${kilobytes(size)}`
  return `${name} ${version}: ${sizes}: ${toTarball(root, packed)}`
}

const toTarball = (root: string, { tarball }: PackedPackage): string => relative(root, tarball)

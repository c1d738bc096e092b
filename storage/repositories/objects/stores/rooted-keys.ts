// Icechunk before version 2.1 wrote a repository at an empty prefix of S3 under keys that begin with `/`, such as
// `/repo`. Source: issue 2239 of Icechunk; later versions look for both layouts.
import type { Backend, ListPage } from '../remote/remote-store.ts'

/** The first objects of a repository, of either format version. Where one is shows the layout. */
const firstKeys: ReadonlySet<string> = new Set(['repo', 'refs/branch.main/ref.json'])

/**
 * Reads a bucket in the layout in which it contains a repository. Until that is known, asks for the first objects of a
 * repository in both layouts.
 */
export function findRootedKeys(backend: Backend): Backend {
  let layout: 'unknown' | 'usual' | 'rooted' = 'unknown'
  return {
    ...backend,
    get: async (request, signal) => {
      const rooted = { ...request, key: `/${request.key}` }
      if (layout === 'rooted') return backend.get(rooted, signal)
      const answer = await backend.get(request, signal)
      if (!firstKeys.has(request.key)) return answer
      if (answer.state !== 'absent') layout = 'usual'
      // Another request may have found the layout meanwhile.
      if (layout === 'usual') return answer
      const other = await backend.get(rooted, signal)
      if (other.state !== 'absent') layout = 'rooted'
      return other
    },
    list: async (request, signal) => {
      if (layout !== 'rooted') return backend.list(request, signal)
      return removeSlashes(await backend.list({ ...request, prefix: `/${request.prefix}` }, signal))
    },
  }
}

function removeSlashes({ keys, prefixes, next }: ListPage): ListPage {
  const remove = (key: string) => key.slice(1)
  return { keys: keys.map(remove), prefixes: prefixes.map(remove), next }
}

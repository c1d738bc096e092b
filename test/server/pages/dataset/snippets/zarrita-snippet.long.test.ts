// Runs the TypeScript of a page unchanged, with Icechunk's binding for Node.js.
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { installFromNpm, run } from '../../../../generators/install.ts'
import { startServer } from '../../../start-server.ts'
import { findSnippet } from '../../find-snippet.ts'

t.setTimeout(900_000)

const packages = ['@earthmover/icechunk@2.2.2', 'zarrita@0.7.5']
const installation = await installFromNpm('icechunk', packages)

/** Why the binding cannot run here, such as a C library that is too old; false if it can. */
async function findReasonToSkip(): Promise<string | false> {
  if (installation.skip !== false) return installation.skip
  const load = ['--input-type=module', '--eval', "await import('@earthmover/icechunk')"]
  return run(process.execPath, load, installation.root).then(
    () => false as const,
    (error: Error) => `@earthmover/icechunk cannot be loaded: ${/undefined symbol: \w+|$/.exec(error.message)?.[0]}`,
  )
}

/** Writes a repository with an array of its own, and one with virtual chunks in a local file. */
const writeVirtual = `
import { Repository, Storage } from '@earthmover/icechunk'
import * as zarr from 'zarrita'
const [, directory] = process.argv
const urlPrefix = 'file://' + directory + '/data/'
const store = { type: 'LocalFileSystem', field0: directory + '/data' }
const storage = await Storage.newLocalFilesystem(directory + '/repositories/a b')
const repo = await Repository.create(storage, { virtualChunkContainers: { [urlPrefix]: { urlPrefix, store } } })
const session = await repo.writableSession('main')
const locate = (path) => new zarr.Location(session.store, path)
await zarr.create(locate('/a%23b'), { attributes: { title: 'Found' } })
await zarr.create(locate('/a b'))
const array = { shape: [4], chunkShape: [4], dtype: 'uint8' }
await zarr.set(await zarr.create(locate('/a b/own'), array), null, 7)
await zarr.create(locate('/a b/virtual'), array)
await session.store.setVirtualRef('a b/virtual/c/0', urlPrefix + 'numbers', 1, 4, null, null, true)
await session.commit('Refer to numbers')
`

t.test('the TypeScript snippet reads virtual chunks as pasted', { skip: await findReasonToSkip() }, async (t) => {
  const directory = t.testdir({ data: { numbers: Buffer.from([0, 1, 2, 3, 4, 5]) }, repositories: {} })
  await run(process.execPath, ['--input-type=module', '--eval', writeVirtual, directory], installation.root)
  const server = await startServer(t, {
    sources: [{ kind: 'scan', store: openLocalStore(`${directory}/repositories`) }],
  })
  const authorization = `Bearer ${server.adminKey}`
  const runSnippet = async (group: string, show: string) => {
    const page = await (await server.get(`datasets/a%20b/main/${group}`, { accept: 'text/html', authorization })).text()
    const program = `${findSnippet(page, 'TypeScript')}\n${show}`
    const args = ['--input-type=module-typescript', '--eval', program]
    const { stdout } = await run(process.execPath, args, installation.root)
    return stdout
  }
  const showArrays = `
    for (const name of ['own', 'virtual']) {
      const array = await zarr.open.v3(group.resolve(name), { kind: 'array' })
      console.log(name, (await zarr.get(array)).data.join())
    }`
  t.equal(await runSnippet('a%20b', showArrays), 'own 7,7,7,7\nvirtual 1,2,3,4\n')
  t.equal(await runSnippet('a%23b', 'console.log(group.attrs.title)'), 'Found\n')
})

// Code that opens the data of a group with the libraries of Icechunk, and a command that prints its schema.
// `JSON.stringify` writes strings, because they mean the same in Python and TypeScript.
import type { VirtualContainer } from '@floe/contract'
import { findPublicAddress } from '../../open-address.ts'
import type { PageSubject } from '../../page-subject.ts'
import { callStorage, findStorage, type KnownStorage, nameAccess } from './known-storage.ts'
import { locatePublished } from '../../catalogues/published-asset.ts'

/** The group, and the library that opens it. Only Zarr can open a group that xarray refuses; it has no JSON views. */
export type SnippetTarget = { readonly group: string; readonly reader: 'xarray' | 'zarr' }

const unknownStorage = '...  # the location of the repository, e.g. icechunk.s3_storage(...)'

/** What the code that opens a repository depends on. */
type OpenedRef = Pick<PageSubject, 'deployment' | 'repository' | 'location' | 'published' | 'containers' | 'ref'>

/** Writes Python code that opens the group with icechunk. */
export function writePythonSnippet(at: OpenedRef, { group, reader }: SnippetTarget): string {
  const storage = findStorage(at)
  const refArgument = { branch: 'branch', tag: 'tag', snapshot: 'snapshot_id' }[at.ref.kind]
  const path = JSON.stringify(group)
  const [module, open] = {
    xarray: [
      'xarray as xr',
      `ds = xr.open_zarr(session.store, ${group === '' ? '' : `group=${path}, `}consolidated=False)`,
    ],
    zarr: ['zarr', `group = zarr.open_group(session.store, ${group === '' ? '' : `path=${path}, `}mode="r")`],
  }[reader]
  const hasContainers = at.containers.length > 0
  return [
    'import icechunk',
    `import ${module}`,
    '',
    ...writePythonStorageLines(at, storage),
    ...(hasContainers ? writePythonCredentials(at.containers, storage) : []),
    `repo = icechunk.Repository.open(storage${hasContainers ? ', authorize_virtual_chunk_access=credentials' : ''})`,
    `session = repo.readonly_session(${refArgument}=${JSON.stringify(at.ref.name)})`,
    open,
  ].join('\n')
}

/** The address of Floe comes first, because it stays the same when the repository moves. */
function writePythonStorageLines(at: OpenedRef, storage: KnownStorage | null): string[] {
  const direct = `storage = ${storage ? writePythonStorage(storage) : unknownStorage}`
  const address = findPublicAddress(at)
  if (address === null) return [direct]
  return [`storage = icechunk.redirect_storage(${JSON.stringify(address)})`, `# or directly: ${direct}`]
}

function writePythonStorage(storage: KnownStorage): string {
  const { name, values } = callStorage(storage)
  const only = Object.values(values)
  // The functions for HTTP and for a directory have one argument.
  const text = only.length === 1 ? JSON.stringify(only[0]) : writeArguments(values)
  return `icechunk.${name}_storage(${text})`
}

/** Writes keyword arguments. Leaves out those that are null or false. */
function writeArguments(values: Readonly<Record<string, string | boolean | null>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === null || value === false ? [] : `${name}=${value === true ? 'True' : JSON.stringify(value)}`,
    )
    .join(', ')
}

function writePythonCredentials(containers: readonly VirtualContainer[], storage: KnownStorage | null): string[] {
  const entries = containers.map((container) => {
    const { store, prefix } = container
    const credentials = {
      s3: 's3_credentials',
      gcs: 'gcs_credentials',
      azure: 'azure_credentials',
      http: 'credentials.HttpAccess',
      local: 'credentials.LocalFileSystemAccess',
    }[store]
    const needsCall = store !== 'http' && store !== 'local'
    const call = needsCall ? `(${writeArguments(nameAccess(isAnonymous(container, storage)))})` : ''
    return `    ${JSON.stringify(prefix)}: icechunk.${credentials}${call},`
  })
  return ['credentials = icechunk.containers_credentials({', ...entries, '})']
}

/**
 * Whether to read a container without credentials: its configuration says so, or the repository itself needs none, so
 * its readers may have none.
 */
function isAnonymous(container: VirtualContainer, storage: KnownStorage | null): boolean {
  return (
    container.anonymous ||
    storage?.storage === 'http' ||
    (storage !== null && 'anonymous' in storage && storage.anonymous)
  )
}

/** Writes TypeScript code that opens the group with `@earthmover/icechunk` and zarrita. */
export function writeZarritaSnippet(at: PageSubject, storage: KnownStorage, group: string): string {
  const refOption = { branch: 'branch', tag: 'tag', snapshot: 'snapshotId' }[at.ref.kind]
  const containers = at.containers.map((container) => `  ${writeTypescriptCredentials(container, storage)},`)
  return [
    "import { Repository, Storage } from '@earthmover/icechunk'",
    "import * as zarr from 'zarrita'",
    '',
    `const storage = ${writeTypescriptStorage(storage)}`,
    ...(containers.length === 0
      ? ['const repo = await Repository.open(storage)']
      : ['const repo = await Repository.open(storage, undefined, {', ...containers, '})']),
    `const session = await repo.readonlySession({ ${refOption}: ${JSON.stringify(at.ref.name)} })`,
    `const location = new zarr.Location(session.store, ${JSON.stringify(`/${encodeForZarrita(group)}`)})`,
    "const group = await zarr.open.v3(location, { kind: 'group' })",
  ].join('\n')
}

/** Encodes what means something in a URL, because zarrita resolves paths like URLs, and then decodes them. */
function encodeForZarrita(path: string): string {
  return path.replace(/[%#?\\|\p{Cc}]/gu, encodeURIComponent)
}

function writeTypescriptStorage(storage: KnownStorage): string {
  switch (storage.storage) {
    case 's3': {
      const { bucket, prefix, region, endpoint, path_style: pathStyle, anonymous } = storage
      const options = Object.entries({
        region,
        endpointUrl: endpoint,
        allowHttp: endpoint?.startsWith('http:') ?? false,
        forcePathStyle: pathStyle,
      }).flatMap(([name, value]) => (value === null || value === false ? [] : `${name}: ${JSON.stringify(value)}`))
      const last = options.length === 0 ? '' : `, { ${options.join(', ')} }`
      return `Storage.newS3(${writeTexts(bucket, prefix)}, ${writeTypescriptAccess(anonymous)}${last})`
    }
    case 'gcs': {
      const { bucket, prefix, anonymous } = storage
      return `Storage.newGcs(${writeTexts(bucket, prefix)}, ${writeTypescriptAccess(anonymous)})`
    }
    case 'azure': {
      const { account, container, prefix, anonymous } = storage
      const access = writeTypescriptAccess(anonymous)
      return `await Storage.newAzureBlob(${writeTexts(account, container, prefix)}, ${access})`
    }
    case 'http':
      return `Storage.newHttp(${writeTexts(storage.url)})`
    case 'local':
      return `await Storage.newLocalFilesystem(${writeTexts(storage.path)})`
  }
}

function writeTexts(...texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ')
}

function writeTypescriptAccess(isAnonymous: boolean): string {
  return `{ type: '${isAnonymous ? 'Anonymous' : 'FromEnv'}' }`
}

function writeTypescriptCredentials(container: VirtualContainer, storage: KnownStorage): string {
  const access = writeTypescriptAccess(isAnonymous(container, storage))
  const credentials = {
    s3: `{ type: 'S3', field0: ${access} }`,
    gcs: `{ type: 'Gcs', field0: ${access} }`,
    azure: `{ type: 'Azure', field0: ${access} }`,
    http: "{ type: 'HttpAccess' }",
    // The binding has no type of credentials for local files, and allows them if the container is named.
    local: 'null',
  }[container.store]
  return `${JSON.stringify(container.prefix)}: ${credentials}`
}

/** Writes the command that prints the schema of the group. */
export function writeInspectSnippet(at: PageSubject, storage: KnownStorage, group: string): string {
  const flags = group === '' ? [] : [`--group=${quoteForShell(group)}`]
  const variables: string[] = []
  if (storage.storage === 's3') {
    if (storage.region !== null) flags.push(`--region=${quoteForShell(storage.region)}`)
    if (storage.endpoint !== null) flags.push(`--endpoint=${quoteForShell(storage.endpoint)}`)
  }
  if (storage.storage === 'azure') variables.push(`AZURE_STORAGE_ACCOUNT_NAME=${quoteForShell(storage.account)}`)
  if ('anonymous' in storage && storage.anonymous) flags.push('--anonymous')
  const operands = [locate(storage), at.ref.name].map(quoteForShell)
  // A ref may begin with a hyphen.
  const words = ['npx floe inspect', ...flags, ...(at.ref.name.startsWith('-') ? ['--'] : []), ...operands]
  return [...variables, ...words].join(' ')
}

function locate(storage: KnownStorage): string {
  return storage.storage === 'local' ? storage.path : locatePublished(storage)
}

/** Writes a word of a command for a shell. */
export function quoteForShell(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

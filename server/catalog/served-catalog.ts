// The part of an organisation's catalog that a deployment serves.
import type { PublishedStorage } from '@floe/contract'
import { matchesAll } from '@floe/storage/globs'
import type { Repository } from '@floe/storage/icechunk'
import { type Deployment, serves } from '../deployment.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { Catalog } from './catalog.ts'
import { refuseUnknownRepository, type RepositoryNames } from './find-repository.ts'
import { makeReadingSignal } from './reading-signals.ts'

/** The names of a deployment in an address. */
export type DeploymentNames = { readonly deployment: string; readonly org: string }

/** The names of a repository in an address below a deployment. */
export type ServedNames = DeploymentNames & RepositoryNames

/** The repositories of an organisation that a deployment serves. For its callers, no others exist. */
export class ServedCatalog {
  readonly #catalog: Catalog
  readonly #deployment: Pick<Deployment, 'repos' | 'public'>
  /** Whether all repositories of the organisation are served, including future ones. */
  readonly isWhole: boolean
  /** The last list of all names, and the served names in it. */
  #lastNames: { readonly all: readonly string[]; readonly served: readonly string[] } | undefined

  constructor(catalog: Catalog, deployment: Pick<Deployment, 'repos' | 'public'>) {
    this.#catalog = catalog
    this.#deployment = deployment
    this.isWhole = deployment.repos.some(matchesAll)
  }

  /** Whether the deployment is public: anyone may read what it serves. */
  get isPublic(): boolean {
    return this.#deployment.public
  }

  /** Patterns of the names of the repositories that are served. */
  get patterns(): readonly string[] {
    return this.#deployment.repos
  }

  /** Whether a repository of this name is served if it exists. */
  serves(name: string): boolean {
    return this.isWhole || serves(this.#deployment, name)
  }

  /** Lists names like {@link Catalog.listNames}. */
  async listNames(): Promise<readonly string[]> {
    return this.#dropUnserved(await this.#catalog.listNames())
  }

  /** Like {@link Catalog.getKnownNames}. */
  getKnownNames(): readonly string[] | undefined {
    const names = this.#catalog.getKnownNames()
    return names && this.#dropUnserved(names)
  }

  /** Finds a repository like {@link Catalog.find}. Reads nothing for a name that is not served. */
  async find(name: string, makeSignal: () => AbortSignal): Promise<Repository | undefined> {
    return this.serves(name) ? this.#catalog.find(name, makeSignal) : undefined
  }

  /** Finds a repository like {@link Catalog.findEntry}. Reads nothing for a name that is not served. */
  async findEntry(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    return this.serves(name) ? this.#catalog.findEntry(name, makeSignal) : undefined
  }

  /** Returns the repository of this name if {@link find} would not need a store. */
  getKnown(name: string): Repository | undefined {
    return this.serves(name) ? this.#catalog.getKnown(name) : undefined
  }

  /** Like {@link Catalog.getPublished}. */
  getPublished(name: string): PublishedStorage | undefined {
    return this.serves(name) ? this.#catalog.getPublished(name) : undefined
  }

  #dropUnserved(all: readonly string[]): readonly string[] {
    if (this.isWhole) return all
    if (this.#lastNames?.all !== all) this.#lastNames = { all, served: all.filter((name) => this.serves(name)) }
    return this.#lastNames.served
  }
}

/** The served catalogs of all deployments. */
export class ServedCatalogs {
  /** By `ORG/NAME`. A map, because each request looks one up, and a service can have thousands. */
  readonly #deployments: ReadonlyMap<string, Deployment>
  readonly #byOrg: ReadonlyMap<string, Catalog>
  readonly #opened = new Map<Deployment, ServedCatalog>()

  /** @param byOrg the catalogs of organisations; may get more later */
  constructor(deployments: readonly Deployment[], byOrg: ReadonlyMap<string, Catalog>) {
    this.#deployments = new Map(deployments.map((deployment) => [`${deployment.org}/${deployment.name}`, deployment]))
    this.#byOrg = byOrg
  }

  get({ deployment: name, org }: DeploymentNames): ServedCatalog | undefined {
    const deployment = this.#deployments.get(`${org}/${name}`)
    const catalog = this.#byOrg.get(org)
    if (deployment === undefined || catalog === undefined) return undefined
    const opened = this.#opened.get(deployment) ?? new ServedCatalog(catalog, deployment)
    this.#opened.set(deployment, opened)
    return opened
  }
}

type ServedCatalogsContext = { readonly catalogs: Pick<ServedCatalogs, 'get'> }

/**
 * Returns the served catalog of a deployment.
 *
 * @throws TypeError if there is none; the access hook has already refused such requests
 */
export function requireServedCatalog({ catalogs }: ServedCatalogsContext, names: DeploymentNames): ServedCatalog {
  const catalog = catalogs.get(names)
  if (!catalog) throw new TypeError(`the access hook admitted a request for ${names.org}/${names.deployment}`)
  return catalog
}

/**
 * Finds a repository that a deployment serves, without the database.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findServedRepository(context: ServedCatalogsContext, names: ServedNames): Promise<Repository> {
  const repository = await requireServedCatalog(context, names).find(names.repo, makeReadingSignal)
  return repository ?? refuseUnknownRepository(names)
}

/**
 * Finds a repository that a deployment serves, and records it if it is new.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findServedEntry(context: ServedCatalogsContext, names: ServedNames): Promise<CatalogEntry> {
  const entry = await requireServedCatalog(context, names).findEntry(names.repo, makeReadingSignal)
  return entry ?? refuseUnknownRepository(names)
}

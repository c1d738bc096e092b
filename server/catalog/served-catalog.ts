// What deployments serve of the catalogs of their organisations.
import { matchesAll } from '@floe/storage/globs'
import type { Repository } from '@floe/storage/icechunk'
import { type Deployment, serves } from '../http/access/deployment.ts'
import type { PublishedStorage } from '../published-storage.ts'
import type { Catalog } from './catalog.ts'
import { refuseUnknownRepository, type RepositoryNames } from './find-repository.ts'
import { makeReadingSignal } from './reading.ts'

/** The names of a deployment in an address. */
export type DeploymentNames = { readonly deployment: string; readonly org: string }

/** The names of a repository in an address below a deployment. */
export type ServedNames = DeploymentNames & RepositoryNames

/** The repositories of an organisation that a deployment serves. For its callers, the others do not exist. */
export class ServedCatalog {
  readonly #catalog: Catalog
  readonly #deployment: Pick<Deployment, 'repos' | 'public'>
  /** Whether all repositories of the organisation are served, those to come included. */
  readonly isWhole: boolean
  /** The names that were selected last, and those they were selected from. */
  #selected: { readonly all: readonly string[]; readonly served: readonly string[] } | undefined

  constructor(catalog: Catalog, deployment: Pick<Deployment, 'repos' | 'public'>) {
    this.#catalog = catalog
    this.#deployment = deployment
    this.isWhole = deployment.repos.some(matchesAll)
  }

  /** Whether anybody may read what is served. */
  get isPublic(): boolean {
    return this.#deployment.public
  }

  /** Whether a repository of this name is served if it exists. */
  serves(name: string): boolean {
    return this.isWhole || serves(this.#deployment, name)
  }

  /** Lists names like {@link Catalog.listNames}. */
  async listNames(): Promise<readonly string[]> {
    return this.#select(await this.#catalog.listNames())
  }

  /** Returns the same list as {@link listNames} if that needs no scan. The list is the same object until a name is added or removed. */
  getKnownNames(): readonly string[] | undefined {
    const known = this.#catalog.getKnownNames()
    return known && this.#select(known)
  }

  /** Finds a repository like {@link Catalog.find}. Does not look for one that is not served. */
  async find(name: string, makeSignal: () => AbortSignal): Promise<Repository | undefined> {
    return this.serves(name) ? this.#catalog.find(name, makeSignal) : undefined
  }

  /** Returns the repository of this name if {@link find} would not need a store. */
  getKnown(name: string): Repository | undefined {
    return this.serves(name) ? this.#catalog.getKnown(name) : undefined
  }

  /** Like {@link Catalog.getPublished}. */
  getPublished(name: string): PublishedStorage | undefined {
    return this.serves(name) ? this.#catalog.getPublished(name) : undefined
  }

  #select(all: readonly string[]): readonly string[] {
    if (this.isWhole) return all
    if (this.#selected?.all !== all) this.#selected = { all, served: all.filter((name) => this.serves(name)) }
    return this.#selected.served
  }
}

/** The served catalogs of all deployments. */
export class ServedCatalogs {
  /** By their names, because each cached answer asks and a service can have thousands. */
  readonly #deployments: ReadonlyMap<string, Deployment>
  readonly #byOrg: ReadonlyMap<string, Catalog>
  readonly #opened = new Map<Deployment, ServedCatalog>()

  /** @param byOrg the catalogs of organisations; one that is added later is found too */
  constructor(deployments: readonly Deployment[], byOrg: ReadonlyMap<string, Catalog>) {
    // Of several with the same names, the first is served.
    this.#deployments = new Map(deployments.toReversed().map((one) => [`${one.org}/${one.name}`, one]))
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

type CatalogHolder = { readonly catalogs: Pick<ServedCatalogs, 'get'> }

/**
 * Returns the served catalog of a deployment.
 *
 * @throws TypeError when there is none; the access hook has already refused such requests
 */
export function requireServedCatalog({ catalogs }: CatalogHolder, names: DeploymentNames): ServedCatalog {
  const catalog = catalogs.get(names)
  if (!catalog) throw new TypeError(`the access hook admitted a request for ${names.org}/${names.deployment}`)
  return catalog
}

/**
 * Finds a repository that a deployment serves, without the database.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findServedRepository(context: CatalogHolder, names: ServedNames): Promise<Repository> {
  const found = await requireServedCatalog(context, names).find(names.repo, makeReadingSignal)
  return found ?? refuseUnknownRepository(names)
}

// Where pages and assets lie as seen from outside, possibly below a path of a reverse proxy.
import { type PageLinks, pageLinks } from './page-links.ts'
import type { ProblemLinks } from './problem-page.ts'

/** See the head of this file. Paths are without a trailing slash. */
export type PublicAddress = {
  /** Path of the API, ending in `/v1`. */
  readonly v1: string
  /** Path of the service; empty where no proxy adds one. */
  readonly root: string
  readonly assetsRoot: string
  readonly stylesheet: string
  readonly linksOf: (deployment: string, org: string) => PageLinks
  /** The links of an error page, as far as the address of a request tells whose page it is. */
  readonly linksFor: (url: string) => ProblemLinks
}

/** The outside of a service whose public address is `baseUrl`; null when it is where the server listens. */
export function publicAddress(baseUrl: string | null): PublicAddress {
  const v1 = baseUrl === null ? '/v1' : new URL(baseUrl).pathname
  const root = v1.replace(/\/v1$/, '')
  const assetsRoot = `${root}/assets`
  const webRoot = `${assetsRoot}/web`
  const stylesheet = `${webRoot}/style.css`
  const linksOf = (deployment: string, org: string) => pageLinks(v1, deployment, org, webRoot)
  return {
    v1,
    root,
    assetsRoot,
    stylesheet,
    linksOf,
    linksFor: (url) => {
      const [, deployment, org] = /^\/v1\/services\/([\w.-]+)\/([\w.-]+)\/_meta(?=\/|$)/.exec(url) ?? []
      return deployment === undefined || org === undefined ? { stylesheet } : linksOf(deployment, org)
    },
  }
}

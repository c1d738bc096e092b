// The public addresses of pages and assets. A reverse proxy may put the service below a path.
import { buildPageLinks } from './page-links.ts'
import type { ProblemLinks } from './problem-page.ts'

/** Public paths, without a trailing slash, and the links built on them. */
export type PublicAddress = ReturnType<typeof makePublicAddress>

/** Public addresses below `baseUrl`, or below `/v1` of the address it listens on when `baseUrl` is null. */
export function makePublicAddress(baseUrl: string | null) {
  const v1 = baseUrl === null ? '/v1' : new URL(baseUrl).pathname
  /** Path of the service; empty unless a proxy adds one. */
  const root = v1.replace(/\/v1$/, '')
  const assetsRoot = `${root}/assets`
  const stylesheet = `${assetsRoot}/web/style.css`
  const buildLinks = (deployment: string, org: string) => buildPageLinks(v1, deployment, org, assetsRoot)
  return {
    v1,
    root,
    assetsRoot,
    stylesheet,
    buildLinks,
    /** The links of an error page. The request's address says which deployment it belongs to, if any. */
    findProblemLinks: (url: string): ProblemLinks => {
      const [, deployment, org] = /^\/v1\/services\/([\w.-]+)\/([\w.-]+)\/_meta(?=\/|$)/.exec(url) ?? []
      return { root, ...(deployment === undefined || org === undefined ? { stylesheet } : buildLinks(deployment, org)) }
    },
  }
}

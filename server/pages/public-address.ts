// The public addresses of pages and assets. A reverse proxy may put the service below a path.
import { metaPrefix, writePattern } from '@floe/contract/constants'
import { buildPageLinks } from './page-links.ts'
import type { ProblemLinks } from './problem-page.ts'

/** Public paths, without a trailing slash, and the links built on them. */
export type PublicAddress = ReturnType<typeof makePublicAddress>

/** An address of a deployment, often with a repository. */
const deploymentAddress = new RegExp(`^${writePattern(metaPrefix, '[\\w.-]+')}(?:/\\w+/(?<repo>[^/?#]+))?(?=[/?#]|$)`)

/**
 * Makes the public addresses below `baseUrl`; if it is null, below `/v1` of the address that the service listens on.
 *
 * @param hasSearch whether the pages of deployments have a search box
 * @param hasSignIn whether people can sign in, so that pages show who has
 */
export function makePublicAddress(baseUrl: string | null, hasSearch = false, hasSignIn = false) {
  const v1 = baseUrl === null ? '/v1' : new URL(baseUrl).pathname
  /** Path of the service; empty unless a proxy adds one. */
  const root = v1.replace(/\/v1$/, '')
  const assetsRoot = `${root}/assets`
  const stylesheet = `${assetsRoot}/web/style.css`
  const account = hasSignIn ? { href: `${v1}/account`, script: `${assetsRoot}/web/account.js` } : undefined
  const buildLinks = (deployment: string, org: string) => buildPageLinks(v1, deployment, org, assetsRoot)
  return {
    v1,
    root,
    assetsRoot,
    stylesheet,
    account,
    buildLinks,
    /** Finds the links of an error page: those of the deployment that the request's address names, if any. */
    findProblemLinks: (url: string): ProblemLinks => {
      const { deployment, org, repo } = deploymentAddress.exec(url)?.groups ?? {}
      if (deployment === undefined || org === undefined) return { root, stylesheet, account }
      return { root, account, ...buildLinks(deployment, org), org, repo: repo && tryDecode(repo), hasSearch }
    },
  }
}

/** Undefined for a malformed name, which no repository has. */
function tryDecode(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

import { matchesSome } from '@floe/storage/globs'

/** A named part of the API that serves repositories of one organisation. */
export type Deployment = {
  readonly name: string
  readonly org: string
  /** Whether metadata can be read without credentials. */
  readonly public: boolean
  /** Patterns of the names of the repositories that are served. */
  readonly repos: readonly string[]
}

/** Whether a deployment serves a repository of its organisation. */
export function serves({ repos }: Pick<Deployment, 'repos'>, repo: string): boolean {
  return matchesSome(repos, repo)
}

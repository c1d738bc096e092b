import { RefNotFoundError } from '@floe/storage/icechunk'
import { RequestProblem } from '../http/problems/request-problem.ts'

/**
 * Reads a repository, and adds its name to the error for a ref that is not found. `read` does not know the name under which the
 * repository is served.
 *
 * @throws RequestProblem `ref-not-found`
 */
export async function nameRepositoryInErrors<Result>(repo: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof RefNotFoundError)) throw cause
    const detail = `${repo} has no branch, tag or snapshot called ${JSON.stringify(cause.ref)}`
    throw new RequestProblem('ref-not-found', detail, { cause })
  }
}

/** Some checks have failed. */
export class FailedChecksError extends Error {
  override name = 'FailedChecksError'
}

/** No complete response arrived. The message explains what went wrong to the person who set the receiver up. */
export class PostError extends Error {
  override name = 'PostError'
  /** The status, if it arrived before the failure. */
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

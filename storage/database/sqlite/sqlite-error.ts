/** An error of SQLite, with its code, such as `SQLITE_BUSY`. */
export class SqliteError extends Error {
  override name = 'SqliteError'
  readonly code: string

  constructor({ code, message }: { readonly code: string; readonly message: string }, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

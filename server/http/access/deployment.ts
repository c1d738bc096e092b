/** An address under which the repositories of one organisation are served. */
export type Deployment = {
  readonly name: string
  readonly org: string
  /** Metadata can be read without credentials. */
  readonly public: boolean
}

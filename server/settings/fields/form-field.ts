// What a form asks about an expectation. `npm run generate` makes the fields of each kind from the contract.

/** The form of a kind of expectation. */
export type ExpectationForm = {
  /** A name of the kind for people. */
  readonly title: string
  readonly meaning: string
  readonly fields: readonly FormField[]
}

/** A field, which has the name of a member of the request. */
export type FormField = {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  /** `lines`: a list of texts. `document`: a contract, as JSON. */
  readonly control: 'text' | 'number' | 'select' | 'lines' | 'document'
  readonly pattern?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  /** Limits of a number. The service also checks those that are not themselves allowed. */
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly isWhole?: boolean | undefined
  /** The values of a list. */
  readonly options?: readonly string[] | undefined
}

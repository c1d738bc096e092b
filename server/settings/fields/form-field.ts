// What the forms of the page ask. `npm run generate` makes the fields of records from the contract.
import type { ReceiverKind } from '@floe/contract/lists'

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
  readonly hint?: string | undefined
  readonly control: ControlName
  readonly isRequired?: boolean | undefined
  /** Whether the request says null if the field is empty. Otherwise, it leaves the member out. */
  readonly isNullable?: boolean | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly isWhole?: boolean | undefined
  readonly options?: readonly FormOption[] | undefined
  /** The option for no value; without it, there is no such option. */
  readonly none?: string | undefined
  /** What the service has stored and never shows; undefined if there is nothing. */
  readonly stored?: StoredSecret | undefined
}

/** A field of receivers, perhaps only of those of one kind. */
export type ReceiverField = FormField & { readonly kind?: ReceiverKind | undefined }

/** One of the values of a choice, as people read it. */
export type FormOption = {
  readonly value: string
  readonly text: string
  readonly hint?: string | undefined
  /** The heading under which it is offered, after those of the same group. */
  readonly group?: string | undefined
}

/** A secret that the service has stored. */
type StoredSecret = {
  readonly legend: string
  /** Whether the service will remove it, because of another value in the form. */
  readonly isDropped: boolean
}

/**
 * `lines`: a list of texts. `objects`: a list of JSON objects. `object`: one of them. `checkboxes`: a list of options.
 * `checkbox`: whether something holds.
 */
export type ControlName =
  | 'text'
  | 'url'
  | 'number'
  | 'time'
  | 'lines'
  | 'objects'
  | 'object'
  | 'radio'
  | 'select'
  | 'checkboxes'
  | 'checkbox'
  | 'search'
  | 'secret'
  | 'headers'
  | 'signing-secret'
  | 'document'

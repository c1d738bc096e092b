// Why a page or a document of a catalogue shows a group as it is stored, without decoding.

export type Refusal = {
  readonly reason: string
  /** Whether the documents exceed a limit of Floe, so that xarray may be able to open the group. */
  readonly isTooLarge: boolean
}

/** Says who refuses a group; the reason follows. */
export function nameRefusal({ isTooLarge }: Refusal): string {
  return isTooLarge ? 'Floe cannot decode this group' : 'xarray cannot open this group'
}

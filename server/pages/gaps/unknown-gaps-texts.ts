import type { UnknownGapsReason } from '@floe/contract'

/** Why it is unknown which chunks are written, as the end of a sentence. */
export const unknownGapsTexts: Readonly<Record<UnknownGapsReason, string>> = {
  unknown_grid: 'the chunk grid is unknown',
  too_large: 'there are too many chunks',
  too_many_manifests: 'too many manifests would have to be read',
  contradictory: 'the manifests contradict the snapshot or each other',
  manifest_missing: 'a manifest is missing',
  manifest_damaged: 'a manifest is damaged',
  manifest_too_large: 'a manifest is too large',
}

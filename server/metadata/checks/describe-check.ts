import type { DescribeCheck } from '@floe/storage/database'
import { describeEvent } from '../../events/describe-event.ts'

/** Writes the texts of the event of a check. */
export const describeCheck: DescribeCheck = ({ repository, snapshotId, branch, result, previousState }) => {
  const { name: check, ...found } = result
  const details = { branch, snapshot_id: snapshotId, check, previous_state: previousState, ...found }
  return describeEvent('CheckPosted', repository, details)
}

import type { DescribeCheck } from '@floe/storage/database'
import { describeEvent } from '../../events/describe-event.ts'

/** Writes the texts of the event of a check. */
export const describeCheck: DescribeCheck = ({ repository, snapshotId, branch, result, previousState }) => {
  const { name: check, state, text, link, figures } = result
  return describeEvent('CheckPosted', {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    branch,
    snapshot_id: snapshotId,
    check,
    state,
    previous_state: previousState,
    text,
    link,
    figures,
  })
}

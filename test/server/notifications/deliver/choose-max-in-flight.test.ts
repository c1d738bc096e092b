import { t } from 'tap'
import { chooseMaxInFlight } from '../../../../server/notifications/deliver/choose-max-in-flight.ts'

t.test('by default, the memory of the container says how many attempts may be in flight', async (t) => {
  const mebibyte = 1024 ** 2
  t.strictSame(
    [64, 300, 512, 4_096].map((mebibytes) => chooseMaxInFlight(mebibytes * mebibyte)),
    [256, 300, 512, 1_024],
  )
  t.equal(chooseMaxInFlight(0), 1_024, 'without a limit, the machine has enough')
})

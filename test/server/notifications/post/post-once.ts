// Sends one POST to the URL that it is given, and prints the status; for tests of what a process inherits.
import { startBudget } from '../../../../server/notifications/post/start-budget.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { openTestPoster } from '../start-receiver.ts'

const [url = ''] = process.argv.slice(2)
const poster = openTestPoster({ teardown: () => undefined })
const budget = startBudget(30_000, systemTiming)
const { status } = await poster.post({ url: new URL(url), headers: {}, body: '{}' }, budget)
budget.end()
console.log(status)
poster.close()

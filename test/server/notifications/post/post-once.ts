// Sends one POST to the URL in the arguments and prints the status; for tests of what a process inherits.
import { openTestPoster, writePost } from '../start-receiver.ts'

const [url = ''] = process.argv.slice(2)
const poster = openTestPoster({ teardown: () => undefined })
const { status } = await poster.post(writePost(url))
console.log(status)
await poster.close()

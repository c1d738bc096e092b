// The content security policy of the page forbids eval, which zod would try for speed. Import this before any module that
// makes a schema.
import { config } from 'zod'

config({ jitless: true })

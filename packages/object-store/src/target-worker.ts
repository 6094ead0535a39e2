import { TARGET_KINDS } from './events/targets/kinds.ts'
import { serveTargets } from './events/thread/serve-targets.ts'

/* The program of the thread that all notification targets run in. */

serveTargets(TARGET_KINDS)

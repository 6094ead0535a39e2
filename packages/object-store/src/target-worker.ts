import { NOTIFICATION_TARGET_KINDS } from './events/targets/target-kinds.ts'
import { serveTargets } from './events/thread/serve-targets.ts'

/* The program of the worker thread for all notification targets. */

serveTargets(NOTIFICATION_TARGET_KINDS)

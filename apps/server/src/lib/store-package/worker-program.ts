// Apart from the index, because worker threads load it.
export { startProgram, WorkerCalls } from '@stowage/object-store/worker-program'

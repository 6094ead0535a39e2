// Loaded into a process by `--import note-connections.mjs?file=/tmp/x`: appends a line to that file for each connection that
// the process opens, `host:port`, whatever library opens it.
import dgram from 'node:dgram'
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const file = new URL(import.meta.url).searchParams.get('file')
const note = (host, port) => appendFileSync(file, `${host}:${port}\n`)

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  // `net` calls it with an array of arguments that it has read already.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const { path, host = 'localhost', port } = typeof first === 'object' ? first : { port: first, host: second }
  // A path is a channel between processes of this machine.
  if (path === undefined || path === null) note(typeof host === 'string' ? host : 'localhost', port)
  return connect.apply(this, args)
}

const { send } = dgram.Socket.prototype
dgram.Socket.prototype.send = function (...args) {
  note('udp', args.filter((arg) => typeof arg !== 'function').at(-1))
  return send.apply(this, args)
}

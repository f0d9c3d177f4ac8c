import { beforeEach, expect, it } from 'vitest'
import { type SocketInput, Sockets } from './sockets.ts'
import { FakeSocket } from './testing/FakeSocket.ts'

let made: FakeSocket[]
let told: SocketInput[]
let sockets: Sockets

beforeEach(() => {
  made = []
  told = []
  const open = (url: string) => {
    const socket = new FakeSocket(url)
    made.push(socket)
    return socket
  }
  sockets = new Sockets(open, (input) => told.push(input))
  sockets.open(7, 'wss://relay.example')
})

const socket = () => made[0] as FakeSocket

it('a socket that is refused is told once, with its words', () => {
  socket().end(3000, 'Unauthorized: invalid key')
  socket().end(1000, 'again')
  expect(told).toEqual([{ type: 'closed', socket: 7, code: 3000, reason: 'Unauthorized: invalid key' }])
})

it('a socket that closes without a word is told as one that broke', () => {
  socket().end()
  expect(told).toEqual([{ type: 'closed', socket: 7, code: 1006, reason: '' }])
})

it('what is no text is not told', () => {
  socket().open()
  socket().receive(new ArrayBuffer(8))
  socket().receive(undefined)
  socket().receive('{')
  expect(told).toEqual([
    { type: 'opened', socket: 7 },
    { type: 'message', socket: 7, text: '{' }
  ])
})

it('a socket that cannot send is closed', () => {
  socket().fault = new Error('Still in CONNECTING state')
  sockets.send(7, 'text')
  expect(told).toEqual([{ type: 'closed', socket: 7, code: 1006, reason: 'Error: Still in CONNECTING state' }])
  expect(socket().closed).toBe(true)
})

it('after it was closed nothing of it is told', () => {
  sockets.close(7)
  expect(socket().closed).toBe(true)
  socket().open()
  socket().receive('late')
  socket().end(1000, 'late')
  sockets.send(7, 'late')
  sockets.close(7)
  expect([told, socket().sent]).toEqual([[], []])
})

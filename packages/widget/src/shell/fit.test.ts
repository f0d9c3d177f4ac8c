// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it } from 'vitest'
import { fit } from './fit.ts'

/** Widths in CSS pixels of a name in its usual letters and in smaller ones, and of the picture with its gap. */
const USUAL = 100
const LESS = 80
const PICTURE = 32

let room: number
let button: HTMLButtonElement
let name: HTMLElement

beforeEach(() => {
  button = document.createElement('button')
  document.body.append(button)
})

afterEach(() => document.body.replaceChildren())

/** Draws a button with this name and this many pixels for all that is in it. */
function put(text: string, width: number) {
  room = width
  name = document.createElement('span')
  name.textContent = text
  Object.defineProperties(name, {
    clientWidth: { get: () => Math.min(needed(), room - (button.querySelector('svg') ? PICTURE : 0)) },
    scrollWidth: { get: needed }
  })
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  button.replaceChildren(picture, name)
  fit(picture, name, '')
}

const needed = () => (name.className === 'less' ? LESS : USUAL)
const seen = () => [button.querySelector('svg') !== null, name.className, button.title]

it.each([
  ['picture and name have room', 132, [true, '', '']],
  ['only the name has room', 131, [false, '', '']],
  ['only smaller letters have room', 99, [false, 'less', '']],
  ['the shortened address has no room in any letters', 79, [true, 'unseen', '0xf3…b92266']]
])('where %s, a shortened address is whole or not to be seen', (_, width, expected) => {
  put('0xf3…b92266', width)
  expect(seen()).toEqual(expected)
  expect(button.textContent).toBe('0xf3…b92266')
})

it('a name that is cut stays in sight and is the title', () => {
  put('alice.portico.eth', 79)
  expect(seen()).toEqual([false, 'less', 'alice.portico.eth'])
})

it('what was taken out comes back with the room for it', () => {
  put('0xf3…b92266', 79)
  room = 132
  dispatchEvent(new Event('resize'))
  expect(seen()).toEqual([true, '', ''])
})

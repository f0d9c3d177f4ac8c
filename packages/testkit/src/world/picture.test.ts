import { expect, it } from 'vitest'
import { type Motif, scene } from './picture.ts'
import { metadata } from './tokens.ts'

const motifs: readonly Motif[] = ['hills', 'planets', 'sails']

it.each(motifs)('%s are sharp where they fill a view, and small enough for the server', (motif) => {
  const uri = scene([90, 60, 200], motif)
  const bytes = Buffer.from(uri.replace('data:image/png;base64,', ''), 'base64')
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512])
  // The server leaves out longer pictures.
  expect(uri.length).toBeLessThanOrEqual(7 * 1024)
})

it('each motif has a picture of its own, which the metadata of a token carries', () => {
  const texts = motifs.map((motif) => metadata('Badge', [90, 60, 200], motif).replace(/^.*,/, ''))
  const images = texts.map((text) => JSON.parse(Buffer.from(text, 'base64').toString()).image)
  expect(images).toEqual(motifs.map((motif) => scene([90, 60, 200], motif)))
  expect(new Set(images).size).toBe(motifs.length)
})

//! QR codes of the core, read by an independent decoder.

import jsqr from 'jsqr'
import { expect, describe as group, it } from 'vitest'
import { pictureOf } from '../testing/draw.tsx'
import { cover, draw, type Picture } from '../testing/raster.ts'

const { pairing } = pictureOf('ConnectingWalletConnect.generic')
const { path, size } = pairing?.qr ?? { path: '', size: 0 }
const uri = pairing?.uri

const decode = ({ data, side }: Picture) => jsqr(data, side, side)?.data ?? null

group('the code of a pairing', () => {
  it('is read', () => {
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    expect(decode(draw(path, size, 4))).toBe(uri)
  })

  it.each([[0], [128], [255]])('is read with a logo of a fifth of its width, of shade %i', (shade) => {
    const picture = draw(path, size, 4)
    cover(picture, size, 1 / 5, shade)
    expect(decode(picture)).toBe(uri)
  })

  it('is read with a logo of a third of its width, so that a fifth leaves room for dirt', () => {
    const picture = draw(path, size, 4)
    cover(picture, size, 1 / 3, 255)
    expect(decode(picture)).toBe(uri)
  })
})

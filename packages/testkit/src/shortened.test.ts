import { expect, it } from 'vitest'
import { shortened } from './shortened.ts'

it('spec_2_12_wallets_shorten_an_address_as_the_widget_does', () => {
  expect(shortened('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf3…b92266')
  expect(shortened('2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1')).toBe('2KW2…Av1BE1')
  for (const short of ['', '0x12345678']) expect(shortened(short)).toBe(short)
})

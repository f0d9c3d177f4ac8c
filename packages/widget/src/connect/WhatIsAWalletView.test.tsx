import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { WhatIsAWalletView } from './WhatIsAWalletView.tsx'

it('a visitor who reads what a wallet is can go on to get one', () => {
  const { said } = draw(WhatIsAWalletView, 'WhatIsAWallet.page')
  fireEvent.click(screen.getByRole('button', { name: 'Get a wallet' }))
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'AllWallets' } }])
})

it('where the host lists no wallets there is nothing to go on to', () => {
  const picture = pictureOf('WhatIsAWallet.page')
  const directory = picture.directory && { ...picture.directory, all: false }
  draw(WhatIsAWalletView, { ...picture, directory })
  expect(screen.queryByRole('button')).toBeNull()
})

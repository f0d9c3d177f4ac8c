//! Mints a print on the local chain, with the connected wallet.

import type { EIP1193Provider, Hash } from 'viem'
import { artOf, type Print } from './prints.ts'

/** ERC-721 contract that mints for everybody; its address follows from the order in which `cargo xtask world` deploys its contracts. */
const CONTRACT = '0x82C6D3ed4cD33d8EC1E51d0B5Cc1d822Eaa0c3dC'

/** Side of the picture that is stored on the chain, in pixels: each byte costs a fee, and a block has room for some 40 KB. */
const SIDE = 320

/** Asks the wallet to mint the print, and returns the transaction once it is in a block. */
export async function mint(provider: EIP1193Provider, account: `0x${string}`, print: Print): Promise<Hash> {
  const { createPublicClient, createWalletClient, custom, parseAbi } = await import('viem')
  const transport = custom(provider)
  const hash = await createWalletClient({ transport }).writeContract({
    account,
    chain: null,
    address: CONTRACT,
    abi: parseAbi(['function mint(address to, uint256 id, string uri)']),
    functionName: 'mint',
    args: [account, someId(), await metadata(print)]
  })
  const { status } = await createPublicClient({ transport }).waitForTransactionReceipt({ hash, pollingInterval: 500 })
  if (status !== 'success') throw new Error("Couldn't mint this print. Try again.")
  return hash
}

/** Random token id that fits in a number. */
function someId(): bigint {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint16Array(2))
  return (BigInt(high) << 16n) | BigInt(low)
}

/** Metadata as a data URI with the picture in it: the chain runs on this machine, and nobody else could fetch a file from it. */
async function metadata(print: Print): Promise<string> {
  const text = JSON.stringify({ name: print.title, description: print.about, image: await raster(artOf(print)) })
  return `data:application/json;base64,${btoa(text)}`
}

/** Longest picture in characters, as a data URI, that servers pass on. */
const LONGEST = 7 * 1024

/** Small WebP of a drawing, as fine as fits: wallets and servers show no SVG of strangers. */
async function raster(src: string): Promise<string> {
  const picture = new Image(SIDE, SIDE)
  picture.src = src
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  canvas.getContext('2d')?.drawImage(picture, 0, 0, SIDE, SIDE)
  const tries = [0.8, 0.6, 0.4, 0.2].map((quality) => canvas.toDataURL('image/webp', quality))
  const fit = tries.find(({ length }) => length <= LONGEST)
  if (fit === undefined) throw new Error(`The picture ${src} is too large`)
  return fit
}

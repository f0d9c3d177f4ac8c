//! Code of a host page that pays and signs with Solana's own libraries: with `@solana/kit`, which knows no widget and takes any wallet of the
//! Wallet Standard, and with `@solana/web3.js`, by the provider that the widget hands out. It is bundled and run in the page, and nothing of it in the tests.

import type { Provider } from '@portico/widget/solana'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Decoder,
  getStructEncoder,
  getTransactionEncoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signAndSendTransactionMessageWithSigners,
  type TransactionSendingSigner
} from '@solana/kit'
import {
  Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction
} from '@solana/web3.js'
import { getWallets, type Wallet } from '@wallet-standard/core'

type Run = (...inputs: readonly unknown[]) => Promise<readonly { readonly signature: never }[]>

const SYSTEM = address('11111111111111111111111111111111')

function run(wallet: Wallet, feature: `solana:${string}`, method: string): Run {
  return (wallet.features[feature] as Record<string, Run>)[method] as Run
}

/** Signs texts with the wallet's account; resolves with their signatures in base58. */
async function signTexts(wallet: Wallet, ...texts: readonly string[]): Promise<string[]> {
  const [account] = wallet.accounts
  const inputs = texts.map((text) => ({ account, message: new TextEncoder().encode(text) }))
  const outputs = await run(wallet, 'solana:signMessage', 'signMessage')(...inputs)
  return outputs.map(({ signature }) => getBase58Decoder().decode(signature))
}

/** Signer of the library for the wallet's account. */
function signerOf(wallet: Wallet, chain: string): TransactionSendingSigner {
  const [account] = wallet.accounts
  return {
    address: address(account?.address ?? ''),
    async signAndSendTransactions(transactions) {
      const encoder = getTransactionEncoder()
      const inputs = transactions.map((one) => ({ account, chain, transaction: encoder.encode(one) }))
      const outputs = await run(wallet, 'solana:signAndSendTransaction', 'signAndSendTransaction')(...inputs)
      return outputs.map(({ signature }) => signature)
    }
  }
}

/** Pays from the wallet's account; resolves with the transaction's signature in base58. */
async function pay(wallet: Wallet, chain: string, node: string, to: string, lamports: number): Promise<string> {
  const signer = signerOf(wallet, chain)
  const { value } = await createSolanaRpc(new URL(node, location.href).href as `http://${string}`)
    .getLatestBlockhash()
    .send()
  const data = getStructEncoder([
    ['kind', getU32Encoder()],
    ['lamports', getU64Encoder()]
  ]).encode({ kind: 2, lamports })
  const transfer: Instruction = {
    programAddress: SYSTEM,
    accounts: [
      { address: signer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: address(to), role: AccountRole.WRITABLE }
    ],
    data
  }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(signer, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(value, one),
    (one) => appendTransactionMessageInstruction(transfer, one)
  )
  return getBase58Decoder().decode(await signAndSendTransactionMessageWithSigners(message))
}

/** Pays by a transaction of web3.js, of the first form or of version 0; resolves with its signature in base58. */
async function payByWeb3(
  provider: Provider,
  form: 'legacy' | 'v0',
  node: string,
  to: string,
  lamports: number
): Promise<string> {
  const connection = new Connection(new URL(node, location.href).href)
  const payerKey = new PublicKey(provider.publicKey?.toBase58() ?? '')
  const latest = await connection.getLatestBlockhash()
  const transfer = SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(to), lamports })
  if (form === 'legacy') {
    return provider.sendTransaction(new Transaction({ ...latest, feePayer: payerKey }).add(transfer), connection)
  }
  const message = new TransactionMessage({ payerKey, recentBlockhash: latest.blockhash, instructions: [transfer] })
  return provider.signAndSendTransaction(new VersionedTransaction(message.compileToV0Message()))
}

/** Names of the wallets that any script of the page finds. */
function found(): string[] {
  return getWallets()
    .get()
    .map(({ name }) => name)
}

Object.assign(window, { host: { signTexts, pay, payByWeb3, found } })

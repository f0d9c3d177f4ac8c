//! Opening by what the visitor gives for one signature or setting: a passkey over its hash, or the password. Neither the device's slot nor the
//! recovery slot opens then.

import type { PasskeyProof, Unlocked } from '../generated/frame.ts'
import { faults } from '../text/faults.ts'
import { decode, sha256 } from './bytes.ts'
import { PasswordError } from './Password.ts'
import { NOTHING, SignerError, type Typed } from './Signer.ts'
import { type Opened, passwordKey } from './settings.ts'
import { challengeOf, type Given, type Subject, Unproved } from './subject.ts'
import { VaultError } from './Vault.ts'

/** Opens the wallet by what was given for the subject. A wallet that has neither passkey nor password opens as always. */
export async function openProved(
  { vault, signer, password, deviceOf, known }: Opened,
  subject: Subject,
  given: Given | undefined
): Promise<string> {
  const session = await vault.session()
  if (!session) throw new VaultError(401, 'session', '')
  const typed = given && (await typedOf(password, vault, subject, given))
  const key = await signer.keyPair()
  const { user, wallet, release } = (await vault.askAsUser('/wallet/v1/unlock', { key })) as Unlocked
  if (user.id !== session.user) throw new VaultError(401, 'session', '')
  const asks = wallet.slots.some(({ kind }) => kind === 'passkey' || kind === 'password')
  if (asks && !typed) throw new Unproved(faults.unproved)
  if (given?.type === 'passkey') {
    const slot = wallet.slots.find(({ hint }) => hintOf(hint).credential === given.proof.credential)
    const point = hintOf(slot?.hint ?? null).key
    if (point !== undefined && !(await isSigned(given.proof, point))) throw new Unproved(faults.passkeyOther)
  }
  try {
    await signer.unlock(release, wallet, await deviceOf(user.id), await known(user.id), typed ?? NOTHING, asks)
  } catch (error) {
    if (!(error instanceof SignerError) || error.reason !== 'slots' || !given) throw error
    throw new Unproved(given.type === 'passkey' ? faults.passkeyOther : faults.passwordWrong)
  }
  return user.id
}

async function typedOf(
  password: Opened['password'],
  vault: Opened['vault'],
  subject: Subject,
  given: Given
): Promise<Typed> {
  if (given.type === 'passkey') {
    if (!(await isFor(given.proof, await challengeOf(subject)))) throw new Unproved(faults.passkeyOther)
    return { ...NOTHING, passkey: given.output }
  }
  try {
    return { ...NOTHING, password: await passwordKey(password, vault, given.password) }
  } catch (error) {
    const wrong = error instanceof PasswordError || (error instanceof VaultError && !isGone(error))
    throw wrong ? new Unproved(error.message) : error
  }
}

/** Whether the request did not fail because of the password or its tries. */
const isGone = ({ field, status }: VaultError): boolean => field === 'session' || status === 0 || status >= 500

function hintOf(hint: string | null): { credential?: string; key?: string } {
  try {
    return JSON.parse(hint ?? '{}')
  } catch {
    return {}
  }
}

/** Whether a passkey was used on this origin for this challenge, and its authenticator knew the visitor (WebAuthn, 7.2). */
async function isFor({ client, authenticator }: PasskeyProof, challenge: string): Promise<boolean> {
  /** Flag of user verification, behind the hash of the origin's domain. */
  const VERIFIED = 4
  const told = JSON.parse(new TextDecoder().decode(decode(client)))
  const data = decode(authenticator)
  const domain = await sha256(location.hostname)
  return (
    told.type === 'webauthn.get' &&
    told.challenge === challenge &&
    told.origin === location.origin &&
    decode(domain).every((byte, index) => data[index] === byte) &&
    ((data[32] ?? 0) & VERIFIED) !== 0
  )
}

/** Whether the signature is by the passkey's key (ES256). */
async function isSigned({ client, authenticator, signature }: PasskeyProof, point: string): Promise<boolean> {
  const { subtle } = crypto
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', decode(point), algorithm, false, ['verify'])
  const hash = new Uint8Array(await subtle.digest('SHA-256', decode(client)))
  const data = decode(authenticator)
  const signed = new Uint8Array(data.length + hash.length)
  signed.set(data)
  signed.set(hash, data.length)
  return subtle.verify(algorithm, key, plain(decode(signature)), signed)
}

/** The two numbers of a signature in ASN.1, each of 32 bytes, as browsers take them. */
function plain(signature: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = signature[at + 1] ?? 0
    const number = signature.slice(at + 2, at + 2 + length).slice(-32)
    out.set(number, end - number.length)
    at += 2 + length
  }
  return out
}

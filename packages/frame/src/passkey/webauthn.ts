//! Passkeys with the PRF extension (WebAuthn, level 3): its output opens the wallet, its signature confirms.

import type { PasskeyHint, PasskeyProof } from '../generated/frame.ts'
import { decode as bytes, encode, sha256 } from '../keeper/bytes.ts'

/** Wish for a passkey; plain data, so that another window can fulfil it. */
export type Wish =
  | { readonly type: 'create'; readonly label: string; readonly known: readonly string[] }
  | { readonly type: 'get'; readonly challenge: string; readonly passkeys: readonly PasskeyHint[] }

/** New passkey. */
export interface Created {
  readonly credential: string
  /** Uncompressed point on P-256. */
  readonly key: string
  readonly salt: string
  /** First output of the PRF for the salt. */
  readonly output: string
}

/** Use of a passkey. */
export interface Used {
  readonly proof: PasskeyProof
  /** First output of the PRF, if the passkey has one. */
  readonly output: string | null
}

/** The passkey cannot open a wallet: its authenticator has no PRF. */
export class NoPrf extends Error {}

/** ES256 alone: what the vault checks. */
const ALGORITHM = -7
const POINT = 65
const PATIENCE = 120_000
/** Input of the PRF of new passkeys. It is the same for all, because a login without an address asks before it knows which passkey answers. */
const SALT = 'portico passkey prf 1'

function first(credential: PublicKeyCredential): string | null {
  const found = credential.getClientExtensionResults().prf?.results?.first
  if (found === undefined) return null
  return encode(ArrayBuffer.isView(found) ? new Uint8Array(found.buffer, found.byteOffset, found.byteLength) : found)
}

/** Makes a passkey. Some authenticators tell the output of the PRF only when the passkey is used, which asks the visitor a second time. */
export async function create(label: string, known: readonly string[]): Promise<Created> {
  const salt = await salted()
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: crypto.getRandomValues(new Uint8Array(32)),
      rp: { name: 'Wallet' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: label, displayName: label },
      pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHM }],
      excludeCredentials: known.map((id) => ({ type: 'public-key', id: bytes(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      extensions: { prf: { eval: { first: bytes(salt) } } },
      timeout: PATIENCE
    }
  })) as PublicKeyCredential | null
  if (!made) throw new Error('There is no passkey')
  if (!made.getClientExtensionResults().prf?.enabled) throw new NoPrf()
  const point = (made.response as AuthenticatorAttestationResponse).getPublicKey()?.slice(-POINT)
  if (point?.byteLength !== POINT) throw new Error('The passkey is not on P-256')
  const hint = { credential: encode(made.rawId), salt }
  const output = first(made) ?? (await get(encode(crypto.getRandomValues(new Uint8Array(32))), [hint])).output
  if (output === null) throw new NoPrf()
  return { ...hint, key: encode(point), output }
}

async function salted(): Promise<string> {
  return sha256(SALT)
}

/** Uses one of these passkeys, or, if there are none, one that the visitor chooses. */
export async function get(challenge: string, passkeys: readonly PasskeyHint[]): Promise<Used> {
  const salts = passkeys.map(({ credential, salt }) => [credential, { first: bytes(salt) }])
  const prf =
    passkeys.length > 0 ? { evalByCredential: Object.fromEntries(salts) } : { eval: { first: bytes(await salted()) } }
  const used = (await navigator.credentials.get({
    publicKey: {
      challenge: bytes(challenge),
      allowCredentials: passkeys.map(({ credential }) => ({ type: 'public-key', id: bytes(credential) })),
      userVerification: 'required',
      extensions: { prf },
      timeout: PATIENCE
    }
  })) as PublicKeyCredential | null
  if (!used) throw new Error('There is no passkey')
  const { authenticatorData, clientDataJSON, signature } = used.response as AuthenticatorAssertionResponse
  const proof = {
    transaction: challenge,
    credential: encode(used.rawId),
    authenticator: encode(authenticatorData),
    client: encode(clientDataJSON),
    signature: encode(signature)
  }
  return { proof, output: first(used) }
}

import { account } from '../../../next-auth.ts'

export async function GET(): Promise<Response> {
  const owner = await account()
  if (!owner) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  return Response.json({ account: owner, orders: [] })
}

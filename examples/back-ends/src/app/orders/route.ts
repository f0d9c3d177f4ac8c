import { signedIn } from '../../portico.ts'

export async function GET(request: Request): Promise<Response> {
  const visitor = await signedIn(request.headers.get('authorization'))
  if (!visitor) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  return Response.json({ account: visitor.account, orders: [] })
}

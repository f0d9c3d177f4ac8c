import { Hono } from 'hono'
import { signedIn } from './portico.ts'

export const app = new Hono<{ Variables: { account: string } }>()

app.use('/orders', async (context, next) => {
  const visitor = await signedIn(context.req.header('authorization'))
  if (!visitor) return context.json({ error: 'Sign in first.' }, 401)
  context.set('account', visitor.account)
  return next()
})
app.get('/orders', (context) => context.json({ account: context.get('account'), orders: [] }))

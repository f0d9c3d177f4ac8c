import express from 'express'
import { signedIn } from './portico.ts'

export const app = express()

app.use('/orders', async (request, response, next) => {
  response.locals.visitor = await signedIn(request.headers.authorization)
  if (response.locals.visitor) return next()
  response.status(401).json({ error: 'Sign in first.' })
})
app.get('/orders', (_, response) => {
  response.json({ account: response.locals.visitor.account, orders: [] })
})

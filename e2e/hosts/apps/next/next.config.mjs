/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.DIST ?? '.next',
  turbopack: { root: process.env.HOSTS },
  outputFileTracingRoot: process.env.HOSTS
}

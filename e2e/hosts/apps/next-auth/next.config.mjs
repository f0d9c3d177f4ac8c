/** @type {import('next').NextConfig} */
export default {
  turbopack: { root: process.env.HOSTS },
  outputFileTracingRoot: process.env.HOSTS,
  // The test checks the types.
  typescript: { ignoreBuildErrors: true }
}

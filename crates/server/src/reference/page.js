// Renders the server's OpenAPI description, with a form to try each route.

const routes = document.getElementById('routes')
const project = document.getElementById('project')
const find = document.getElementById('find')
const none = element('p', { hidden: true }, 'No route found. Try another word, or part of a path.')

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Text whose words between backticks are code. */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 ? element('code', {}, part) : part))
}

/** Example value of a schema, from the types of its fields, to a limited depth. */
function example(schema, all, depth = 0) {
  if (schema.$ref) return depth > 4 ? {} : example(all[schema.$ref.split('/').pop()] ?? {}, all, depth + 1)
  if (schema.anyOf) return null
  if (schema.enum) return schema.enum[0]
  if (schema.const) return schema.const
  if (schema.type === 'array') return [example(schema.items ?? {}, all, depth + 1)]
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([name, field]) => [name, example(field, all, depth + 1)]))
  }
  return { string: '', integer: 0, number: 0, boolean: false }[schema.type] ?? null
}

/** Values of fields that a first request needs to be answered in full. */
const FILLED = { 'x-sdk-version': '1.0.0' }

function field(parameter, path) {
  const { enum: words } = parameter.schema
  const input = words
    ? element('select', {}, element('option', { value: '' }, ''), ...words.map((word) => element('option', {}, word)))
    : element('input', { autocomplete: 'off', spellcheck: false })
  Object.assign(input, { name: parameter.name, required: parameter.required, value: FILLED[parameter.name] ?? '' })
  if (path.includes(`/project/{${parameter.name}}`)) input.dataset.project = ''
  const name = `${parameter.name}${parameter.required ? '' : ' (optional)'}: `
  return element('label', {}, element('span', {}, name, ...prose(parameter.description)), input)
}

function request(path, operation, form) {
  let target = path
  const query = new URLSearchParams()
  const headers = {}
  if (operation.security && project.value) query.set('projectId', project.value)
  for (const { name, in: place } of operation.parameters ?? []) {
    const value = form.elements[name].value
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
    else if (value && place === 'query') query.set(name, value)
    else if (value) headers[name] = value
  }
  const text = query.toString()
  return { url: text ? `${target}?${text}` : target, headers }
}

async function tryIt(event, path, method, operation, output) {
  event.preventDefault()
  const form = event.target
  const { url, headers } = request(path, operation, form)
  const body = form.elements.body?.value
  if (body !== undefined) headers['content-type'] = 'application/json'
  output.replaceChildren('Sending…')
  const begun = performance.now()
  try {
    const response = await fetch(url, { method: method.toUpperCase(), headers, body })
    const took = Math.round(performance.now() - begun)
    const kind = response.headers.get('content-type') ?? ''
    const text = kind.startsWith('image/') ? `(${kind})` : await response.text()
    const line = element('b', { className: response.ok ? 'good' : 'bad' }, `${response.status} ${response.statusText}`)
    output.replaceChildren(element('p', {}, line, ` in ${took} ms: ${url}`), element('pre', {}, pretty(text)))
  } catch (error) {
    output.replaceChildren(element('p', { className: 'bad' }, `Couldn't reach the server: ${error.message}`))
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** List of the statuses that a route answers with, and what each means. */
function responses(operation) {
  const rows = Object.entries(operation.responses).flatMap(([status, { description }]) => [
    element('dt', {}, status),
    element('dd', {}, ...prose(description))
  ])
  return element('dl', {}, ...rows)
}

function route(path, method, operation, schemas) {
  const output = element('output')
  const parts = (operation.parameters ?? []).map((parameter) => field(parameter, path))
  const body = operation.requestBody?.content['application/json']
  if (body) {
    const text = JSON.stringify(body.example ?? example(body.schema, schemas), null, 2)
    parts.push(element('label', {}, 'Body', element('textarea', { name: 'body', spellcheck: false, value: text, rows: text.split('\n').length + 1 })))
  }
  const form = element('form', {}, ...parts, element('button', {}, 'Try it'), output, responses(operation))
  form.addEventListener('submit', (event) => tryIt(event, path, method, operation, output))
  const summary = element('summary', {}, element('b', {}, method), element('code', {}, path), element('span', {}, ...prose(operation.summary)))
  const details = element('details', {}, summary, form)
  details.dataset.words = `${method} ${path} ${operation.summary}`.toLowerCase()
  return details
}

function draw({ paths, components }) {
  const groups = new Map()
  for (const [path, item] of Object.entries(paths)) {
    // The same route as the path without the slash.
    if (path.endsWith('/')) continue
    for (const [method, operation] of Object.entries(item)) {
      const [tag] = operation.tags
      groups.set(tag, [...(groups.get(tag) ?? []), route(path, method, operation, components.schemas)])
    }
  }
  const sections = [...groups].map(([tag, all]) => element('section', {}, element('h2', {}, tag), ...all))
  routes.replaceChildren(...sections, none)
  fillProject()
}

/** Writes the project's id into the fields of paths that have one. */
function fillProject() {
  for (const input of routes.querySelectorAll('[data-project]')) input.value = project.value
}

project.addEventListener('input', fillProject)

find.addEventListener('input', () => {
  const words = find.value.toLowerCase()
  for (const details of routes.querySelectorAll('details')) details.hidden = !details.dataset.words.includes(words)
  for (const section of routes.querySelectorAll('section')) section.hidden = !section.querySelector('details:not([hidden])')
  none.hidden = routes.querySelector('section:not([hidden])') !== null
})

// The first page of a new server links here with its project.
project.value = new URLSearchParams(location.search).get('projectId') ?? ''

fetch('/openapi.json')
  .then((response) => response.json())
  .then(draw)
  .catch((error) => routes.replaceChildren(element('p', { className: 'bad' }, `Couldn't load the description: ${error.message}`)))

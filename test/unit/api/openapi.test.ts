/** The OpenAPI document: valid and complete. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { schemas } from '../../../src/api/answers/by-name.ts'
import { openapiDocument } from '../../../src/api/openapi/document.ts'
import { operations, sandboxOperations } from '../../../src/api/operations/index.ts'

const served = [...operations, ...sandboxOperations]
const document = openapiDocument(served)

test('is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('has every operation once', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
  )
  const rows = served.map(({ id, method, path }) => [id, method.toLowerCase(), path])
  expect(described.toSorted()).toEqual(rows.toSorted())
})

test('names every parameter of an operation once', () => {
  for (const { parameters, operationId } of Object.values(document.paths).flatMap(Object.values)) {
    const names = parameters.map(({ name }: { readonly name: string }) => name)
    expect(new Set(names).size, operationId).toBe(names.length)
  }
})

test('amounts are decimals as text, and ids keep 64 bits', () => {
  const { parameters } = document.paths['/api/v3/order']!.post!
  const schemaOf = (name: string) => parameters.find((it) => it.name === name)!.schema
  expect(schemaOf('quantity')).toMatchObject({ type: 'string' })
  expect(schemaOf('strategyId')).toMatchObject({ type: 'integer', format: 'int64' })
})

test('refers to shapes that there are, and to all of them', () => {
  const text = JSON.stringify(document)
  const named = new Set(Array.from(text.matchAll(/#\/components\/schemas\/(\w+)/g), (it) => it[1]))
  expect([...named].toSorted()).toEqual(Object.keys(schemas).toSorted())
})

test('has the operations of the sandbox in a part of their own, and only where they are served', () => {
  const own = document.paths['/sandbox/v1/faults']!
  expect(Object.keys(own).toSorted()).toEqual(['delete', 'get', 'post'])
  expect(Object.values(own).flatMap(({ tags }) => tags)).toEqual(['Sandbox', 'Sandbox', 'Sandbox'])
  expect(document.tags).toContainEqual({ name: 'Sandbox' })
  const usual = openapiDocument()
  expect(usual.paths['/sandbox/v1/faults']).toBeUndefined()
  expect(usual.tags).not.toContainEqual({ name: 'Sandbox' })
})

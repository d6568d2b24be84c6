type Json = Record<string, unknown>

export interface Operation extends Json {
  summary: string
  parameters?: Parameter[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Response>
}
export type Response = Content & { description: string; headers?: Json }
export type Parameter = Json & { name: string; in: string; required?: boolean }
export type Content = { content?: Record<string, { schema: unknown }> }

/** Merges the operations of contracts that share a method and path: inputs and replies of either. */
export function mergeOperations(one: Operation, other: Operation): Operation {
  const statuses = new Set([...Object.keys(one.responses), ...Object.keys(other.responses)])
  const parameters = mergeParameters(one.parameters ?? [], other.parameters ?? [])
  // Only what is deprecated in both descriptions is so altogether.
  const { deprecated, ...common } = one
  return {
    ...common,
    ...(deprecated === true && other.deprecated === true && { deprecated }),
    summary: `${one.summary}; ou: ${other.summary}`,
    ...(parameters.length > 0 && { parameters }),
    ...(one.requestBody && { requestBody: mergeContent(one.requestBody, other.requestBody) }),
    responses: Object.fromEntries(
      [...statuses].map((status) => [status, mergeResponses(one.responses[status], other.responses[status])]),
    ),
  } as Operation
}

/** Optional: parameters that only one of them takes or demands. */
function mergeParameters(one: Parameter[], other: Parameter[]): Parameter[] {
  const names = new Map(
    [...other, ...one].map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  const demanded = (list: Parameter[], { name, in: place }: Pick<Parameter, 'name' | 'in'>) =>
    list.some((parameter) => parameter.name === name && parameter.in === place && parameter.required)
  return [...names.values()].map(({ required, ...parameter }) => ({
    ...parameter,
    ...(required && demanded(one, parameter) && demanded(other, parameter) && { required }),
  }))
}

function mergeResponses(one: Response | undefined, other: Response | undefined): Response {
  const merged = mergeContent(one, other)
  const descriptions = [one, other].flatMap((response) => response?.description.split(', ') ?? [])
  return { ...merged, description: [...new Set(descriptions)].join(', ') }
}

function mergeContent<T extends Content>(one: T | undefined, other: T | undefined): T {
  if (!one?.content || !other?.content) return (one ?? other) as T
  const content = { ...other.content, ...one.content }
  for (const type of Object.keys(one.content)) {
    const schemas = [one.content[type]?.schema, other.content[type]?.schema].filter(
      (schema) => schema !== undefined,
    )
    const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
    content[type] = { schema: distinct.length === 1 ? distinct[0] : { anyOf: distinct } }
  }
  return { ...one, content }
}

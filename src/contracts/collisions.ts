/**
 * The places where the two descriptions meet, and what chooses between them. Nothing else in the code asks
 * "A or B?".
 */

/** With the final slash A answers, without it B; on every other path the slash does not matter. */
const SLASH_PAIRS = ['/api/v1/permissoes/']

export function slashMatters(method: string, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && SLASH_PAIRS.includes(path)
}

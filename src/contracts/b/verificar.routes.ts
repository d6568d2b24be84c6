import type { Caller } from '../../caller/caller.ts'
import type { App } from '../../domain/app.ts'
import { type Verificacao, verifyChange, verifyNovo } from '../../domain/casos/verificar.ts'
import { assertHolds } from '../../domain/usuarios/grants.ts'
import type { Problem } from '../../errors/catalogue.ts'
import { requires } from '../../http/access.ts'
import { unreported, validators } from '../../http/validation.ts'
import { route } from '../route.ts'
import { avisosOf, withAvisos } from './avisos.shapes.ts'
import { AlterarCaso, CriarCaso, fromCaso } from './caso-entrada.shapes.ts'
import { CasoVerificado, toVerificado, VerificarCaso } from './verificar.shapes.ts'

const violationsOfNovo = validators.body(CriarCaso)
const violationsOfChange = validators.body(AlterarCaso)

export const verificarRoutesB = [
  route({
    spec: '4.12',
    method: 'POST',
    path: '/api/v1/agravos/casos/verificar',
    summary: 'Conferir um caso sem o gravar',
    tag: 'Agravos',
    access: requires('agravos.criar'),
    input: { body: VerificarCaso },
    replies: { 200: CasoVerificado },
    errors: ['NOT_FOUND'],
    async handle({ body: { id, ...body }, caller, request }, app) {
      const verificado =
        id === undefined ? await checkNovo(app, caller, body) : await checkChange(app, caller, id, body)
      const schema = id === undefined ? CriarCaso : AlterarCaso
      return {
        ...toVerificado(verificado, app.municipios, request.language),
        ...withAvisos(schema, body, request.language, avisosOf(verificado.campos, app, caller)),
      }
    },
  }),
]

/** As `POST /agravos/casos` joins them: those of the schema, then all others of fields that it has not reported. */
async function checkNovo(app: App, caller: Caller, body: object): Promise<Verificacao> {
  const violations = violationsOfNovo(body, 'body', app.agravos.live())
  const { entrada, problems } = fromCaso(body)
  const unsound = violations.length + problems.length > 0
  const found = await verifyNovo(app, caller, entrada, unsound)
  return withProblems(found, violations, [...problems, ...found.problems])
}

/** As `PUT /agravos/casos/{id}`, which looks at the case only behind a sound body. */
async function checkChange(app: App, caller: Caller, id: number, body: object): Promise<Verificacao> {
  assertHolds(caller, 'agravos.editar')
  const violations = violationsOfChange(body, 'body', app.agravos.live())
  const { entrada, problems } = fromCaso(body)
  const unsound = violations.length + problems.length > 0
  const found = await verifyChange(app, caller, id, entrada, unsound)
  return withProblems(found, violations, unsound ? problems : found.problems)
}

const withProblems = (found: Verificacao, violations: Problem[], more: Problem[]): Verificacao => ({
  ...found,
  problems: [...violations, ...unreported(violations, more)],
})

import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, type Problem, problem } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { type Definicao, isProprio } from './definicao.ts'
import {
  countComValor,
  findAtiva,
  findTipo,
  findUltima,
  listVocabulario,
  longestTexto,
  type VersaoRow,
} from './definicoes.sql.ts'
import { casosOf, selecaoOf } from './leitura.ts'
import { lerDefinicao } from './ler.ts'
import { menoresMax, refusalsOf } from './versoes.ts'

/** A definition judged without writing: its problems, and what it would do to stored cases. */

type Needs = Pick<App, 'db' | 'agravos' | 'municipios'>

export interface Impacto {
  casos: number
  campos_retirados: { nome: string; com_valor: number }[]
  opcoes_retiradas: { campo: string; codigo: string }[]
}

export interface Simulacao {
  problems: Problem[]
  impacto: Impacto
}

export interface Conferida {
  definicao: Definicao
  problems: Problem[]
  ultima: VersaoRow | null
  ativa: VersaoRow | null
}

/** Every problem of a definition: by itself, beside the others, and behind the one that it would follow. */
export async function conferir(app: Needs, tx: Db, json: unknown, codigo?: string): Promise<Conferida> {
  const vocabulario = await listVocabulario(tx)
  const given = codigo ?? (json as { codigo?: unknown })?.codigo
  const outras = app.agravos.vigentes().todos.map(({ definicao }) => definicao)
  const { definicao, problems } = lerDefinicao(json, {
    vocabulario,
    outras: outras.filter((one) => one.codigo !== given),
  })
  if (codigo !== undefined && definicao.codigo !== codigo)
    return {
      definicao,
      problems: [problem('body', ['codigo'], 'NOT_EDITABLE', {})],
      ultima: null,
      ativa: null,
    }
  if (problems.length > 0) return { definicao, problems, ultima: null, ativa: null }
  const ultima = await findUltima(tx, definicao.codigo)
  const ativa = await findAtiva(tx, definicao.codigo)
  const tipo = await findTipo(tx, definicao.codigo)
  const found = [
    ...(ativa === null
      ? []
      : refusalsOf(ativa.definicao, definicao, { protegido: tipo?.protegido ?? false })),
  ]
  if (ativa !== null) found.push(...(await tooShort(tx, ativa.definicao, definicao)))
  return { definicao, problems: found, ultima, ativa }
}

async function tooShort(tx: Db, anterior: Definicao, nova: Definicao): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { nome, max } of menoresMax(anterior, nova)) {
    const index = nova.campos.findIndex((campo) => isProprio(campo) && campo.nome === nome)
    // Sealed texts cannot be measured: their limit does not shrink.
    const isSealed = nova.campos.some((campo) => isProprio(campo) && campo.nome === nome && campo.sigiloso)
    if (isSealed || (await longestTexto(tx, nova.codigo, nome)) > max)
      problems.push(problem('body', ['campos', index, 'max'], 'NOT_EDITABLE', {}))
  }
  return problems
}

export async function simular(
  app: Needs,
  caller: Caller,
  json: unknown,
  codigo?: string,
): Promise<Simulacao> {
  if (codigo !== undefined && (await findUltima(app.db, codigo)) === null) throw new AppError('NOT_FOUND')
  const { definicao, problems, ultima, ativa } = await conferir(app, app.db, json, codigo)
  const repeated = codigo === undefined && ultima !== null
  const impacto =
    problems.length === 0 && ativa !== null
      ? await impactoOf(app, caller, ativa.definicao, definicao)
      : { casos: 0, campos_retirados: [], opcoes_retiradas: [] }
  return {
    problems: repeated ? [problem('body', ['codigo'], 'DUPLICATE', {}), ...problems] : problems,
    impacto,
  }
}

async function impactoOf(app: Needs, caller: Caller, antes: Definicao, depois: Definicao): Promise<Impacto> {
  const ativos = (definicao: Definicao) => definicao.campos.filter(isProprio).filter(({ ativo }) => ativo)
  const still = new Map(ativos(depois).map((campo) => [campo.nome, campo]))
  const retirados = ativos(antes).filter(({ nome }) => !still.has(nome))
  const values = await countComValor(
    app.db,
    retirados.map(({ nome }) => nome),
    selecaoOf(app, caller, antes.codigo),
  )
  return {
    casos: await casosOf(app, caller, antes.codigo),
    campos_retirados: retirados.map(({ nome }) => ({
      nome,
      com_valor: values.find((one) => one.nome === nome)?.com_valor ?? 0,
    })),
    opcoes_retiradas: ativos(antes).flatMap(({ nome, opcoes }) =>
      opcoes
        .filter(
          ({ codigo, ativo }) =>
            ativo && still.get(nome)?.opcoes.find((one) => one.codigo === codigo)?.ativo === false,
        )
        .map(({ codigo }) => ({ campo: nome, codigo })),
    ),
  }
}

import { contextOf as contextOfAnexo } from '../anexos/anexos.ts'
import { contextOf as contextOfParte } from '../arquivos/arquivos.ts'
import { contextOf as contextOfPar } from '../casos/duplicidades/duplicidades.ts'
import { contextOf as contextOfFusao } from '../casos/duplicidades/fusao.ts'
import { contextOf as contextOfVersao } from '../casos/historico.ts'
import { contextOf as contextOfCaso } from '../casos/sigilo.ts'
import {
  contextOf as contextOfEpizootia,
  contextOfVersao as contextOfVersaoDeEpizootia,
} from '../epizootias/sigilo.ts'
import { contextOf as contextOfResposta } from '../idempotency/idempotency.ts'
import { contextOf as contextOfAssinatura } from '../keys/keys.ts'
import { contextOf as contextOfRascunho } from '../rascunhos/rascunhos.ts'
import { secretContext } from '../sessoes/second-factor.ts'
import { contextOf as contextOfWebhook } from '../webhooks/sigilo.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row of any table, with the columns that the entry names
type Row = any

/** A column of encrypted values: how its rows are told apart, and what each value is bound to. */
export interface Cifrado {
  table: string
  column: string
  /** Primary key, in the order of the walk, with the types of its columns. */
  key: Record<string, string>
  /** Further columns that the context needs. */
  needs?: string[]
  context(row: Row): string
  /** Rows at a time; fewer where they are large. */
  block?: number
}

const ofWebhook = (column: string, bound: string): Cifrado => ({
  ...{ table: 'webhooks', column, key: { id: 'text' } },
  context: ({ id }) => contextOfWebhook(id, bound),
})

/** Every column that holds encrypted values; `test/domain/recifragem.test.ts` compares it with the schema. */
export const CIFRADOS: readonly Cifrado[] = [
  {
    ...{ table: 'chaves_assinatura', column: 'privada_cifrada', key: { kid: 'text' } },
    context: ({ kid }) => contextOfAssinatura(kid),
  },
  {
    ...{ table: 'usuarios', column: 'mfa_segredo_cifrado', key: { id: 'int4' } },
    context: ({ id }) => secretContext(id),
  },
  ofWebhook('secret', 'secret'),
  ofWebhook('secret_anterior', 'secret'),
  ofWebhook('headers', 'headers'),
  {
    ...{ table: 'entregas', column: 'resposta', key: { id: 'int8' }, needs: ['webhook_id'] },
    context: ({ webhook_id }) => contextOfWebhook(webhook_id, 'resposta'),
  },
  {
    ...{ table: 'idempotencia', column: 'resposta', key: { usuario_id: 'int4', chave: 'bytea' } },
    context: ({ chave }) => contextOfResposta(chave),
  },
  {
    ...{ table: 'rascunhos', column: 'conteudo', key: { usuario_id: 'int4', id: 'uuid' } },
    context: contextOfRascunho,
  },
  {
    ...{ table: 'casos', column: 'sigilo', key: { id: 'int4' } },
    needs: ['tipo_agravo', 'numero_notificacao', 'data_notificacao'],
    context: contextOfCaso,
  },
  {
    ...{ table: 'casos_historico', column: 'sigilo', key: { caso_id: 'int4', versao: 'int4' } },
    context: ({ caso_id, versao }) => contextOfVersao(caso_id, versao),
  },
  {
    ...{ table: 'epizootias', column: 'observacao', key: { id: 'int4' } },
    needs: ['numero', 'data_ocorrencia'],
    context: contextOfEpizootia,
  },
  {
    ...{ table: 'epizootias_historico', column: 'sigilo', key: { epizootia_id: 'int4', versao: 'int4' } },
    context: ({ epizootia_id, versao }) => contextOfVersaoDeEpizootia(epizootia_id, versao),
  },
  {
    ...{ table: 'fusoes', column: 'sigilo', key: { id: 'int4' } },
    needs: ['principal_id', 'principal_versao'],
    context: ({ principal_id, principal_versao }) => contextOfFusao(principal_id, principal_versao),
  },
  {
    ...{ table: 'duplicidades', column: 'motivo', key: { id: 'int4' } },
    context: ({ id }) => contextOfPar(id),
  },
  {
    ...{ table: 'anexos', column: 'descricao', key: { id: 'int4' } },
    context: ({ id }) => contextOfAnexo(id),
  },
  {
    ...{ table: 'arquivos_partes', column: 'conteudo', key: { arquivo_id: 'uuid', ordem: 'int4' } },
    context: ({ arquivo_id, ordem }) => contextOfParte(arquivo_id, ordem),
    block: 20,
  },
]

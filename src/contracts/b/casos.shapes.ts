import type { Municipios } from '../../brasil/municipios.ts'
import type { Anexo } from '../../domain/anexos/anexos.ts'
import type { CasoWithHistory } from '../../domain/casos/reading/read.ts'
import type { HistoryEntry } from '../../domain/casos/view.ts'
import { toAnexo } from './anexos.shapes.ts'
import { toMembers } from './caso-saida.shapes.ts'

export const toDetalhe = ({ caso, acesso, historico }: CasoWithHistory, municipios: Municipios) => ({
  ...toMembers(caso, municipios),
  acesso,
  historico: historico.map((one) => toAcontecido(one, municipios)),
})

export const withAnexos = (detalhe: Record<string, unknown>, anexos: Anexo[], publicUrl: string) => ({
  ...detalhe,
  anexos: anexos.map((anexo) => toAnexo(anexo, publicUrl)),
})

export function toAcontecido(
  { data, acao, usuario, alteracoes, outros }: HistoryEntry,
  municipios: Municipios,
) {
  const shown = (campo: string, value: unknown) =>
    campo.startsWith('municipio_') && typeof value === 'number'
      ? (municipios.byCodigo(value)?.nome ?? value)
      : value
  const changes = alteracoes.map(({ campo, anterior, novo, ...rotulos }) => ({
    campo,
    anterior: shown(campo, anterior),
    novo: shown(campo, novo),
    ...rotulos,
  }))
  return {
    data: data.toISOString(),
    acao,
    usuario,
    detalhes: { ...(changes.length > 0 && { alteracoes: changes }), ...outros },
  }
}

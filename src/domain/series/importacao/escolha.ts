import { InvalidFile } from '../../importacao/formats/table.ts'
import type { ContextoDoArquivo, LayoutDeSeries } from './arquivo.ts'
import { infodengueLayout, isInfodengue } from './infodengue.ts'
import { inmetLayout, isInmet } from './inmet.ts'
import { isLarga, largaLayout } from './larga.ts'
import { isLiraa, liraaLayout } from './liraa.ts'
import { columnsOf, longaLayout } from './longa.ts'

/** LayoutDeSeries of a file by its header. */
export function chooseLayout(header: readonly string[], contexto: ContextoDoArquivo): LayoutDeSeries {
  if (isInmet(header)) return inmetLayout(header, contexto)
  if (isInfodengue(header)) return infodengueLayout(header, contexto)
  if (isLarga(header)) return largaLayout(header, contexto)
  const colunas = columnsOf(header, contexto)
  if (colunas !== null) return longaLayout(header, contexto, colunas)
  if (isLiraa(header)) return liraaLayout(header, contexto)
  throw new InvalidFile(
    'As colunas não são de nenhum leiaute conhecido: estação do INMET, tabela do InfoDengue, tabela larga (lugar e períodos), tabela longa (lugar, período, valor) ou LIRAa.',
  )
}

import type { FieldName } from '../../../src/domain/casos/campos.ts'
import { isMunicipio, textOf } from '../state/caso-campos.ts'
import { texts } from '../state/texts.ts'
import { useMunicipioNome } from './municipio-field.tsx'

/** Value of a field of a case; a code of a municipality with its name. */
export function CasoValor({ nome, value }: { nome: FieldName; value: unknown }) {
  if (value !== null && isMunicipio(nome)) return <Municipio codigo={String(value)} />
  return <>{textOf(nome, value, texts())}</>
}

function Municipio({ codigo }: { codigo: string }) {
  const nome = useMunicipioNome(codigo)
  return <>{nome === undefined ? codigo : `${nome} (${codigo})`}</>
}

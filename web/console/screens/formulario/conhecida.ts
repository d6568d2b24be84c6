import { type FieldName, isSecret, REQUIRED_ON_CREATION } from '../../../../src/domain/casos/campos.ts'
import { REGRAS_CONHECIDAS } from '../../../../src/domain/casos/regras-conhecidas.ts'
import { agravos } from '../../state/agravos.ts'
import { valorWords } from '../../state/filter-words.ts'
import type { Ficha } from './ficha.ts'
import { applies, campoOf, FORM_FIELDS, isMunicipio, optionsOf, paperCode, SECTIONS } from './sections.ts'

const REQUIRED: readonly FieldName[] = REQUIRED_ON_CREATION

/** Form of dengue, zika and chikungunya, in the order of the SINAN ficha. */
export const CONHECIDA: Ficha = {
  codigo: null,
  sections: SECTIONS,
  fields: FORM_FIELDS,
  campoOf,
  labelOf: (nome, t) => t.campos[nome],
  wordOf: (_nome, value, t) => valorWords(value, t),
  noteOf: () => undefined,
  optionsOf: (nome, tipo, chosen) => (nome === 'tipo_agravo' ? agravos() : optionsOf(nome, tipo, chosen)),
  paperCode,
  applies,
  isRequired: (nome) => REQUIRED.includes(nome),
  isMunicipio,
  isSecret,
  isOwn: () => false,
  check: () => [],
  regras: REGRAS_CONHECIDAS,
}

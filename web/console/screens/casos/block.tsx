import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { type BlockName, isHidden, textOf, valueIn } from '../../state/caso-campos.ts'
import { texts } from '../../state/texts.ts'
import { CasoValor } from '../../ui/caso-valor.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Detalhe } from './detalhe.ts'

interface BlockProps {
  name: BlockName
  fields: FieldName[]
  /** Words of the disease for its fields, where it has any. */
  rotulos: ReadonlyMap<string, string>
  caso: Detalhe
  /** The same case with the patient's data, while it is shown. */
  identified: Detalhe | null
  /** The present case, where an earlier one is shown. */
  now: Detalhe | null
}

/** A block of the form: what is known, then the names of what is not. */
export function Block({ name, fields, rotulos, caso, identified, now }: BlockProps) {
  const t = texts()
  const labelOf = (nome: FieldName) => rotulos.get(nome) ?? t.campos[nome]
  const shown = identified ?? caso
  const isSealed = (nome: FieldName) => identified === null && isHidden(nome)
  const known = fields.filter((nome) => isSealed(nome) || textOf(nome, valueIn(shown, nome), t) !== '')
  const unknown = fields.filter((nome) => !known.includes(nome))
  if (fields.length === 0) return null
  return (
    <section class="card block">
      <h2>{t.caso.blocks[name]}</h2>
      {known.length === 0 && <p class="note">{t.caso.allUnknown}</p>}
      {known.length > 0 && (
        <dl class="pairs">
          {known.map((nome) => (
            <div
              key={nome}
              class={
                identified !== null && (isHidden(nome) || nome === 'paciente_nome') ? 'secret' : undefined
              }
            >
              <dt>{labelOf(nome)}</dt>
              <dd>
                {isSealed(nome) ? (
                  <span class="sealed">
                    <Icon name="lock" />
                    {t.caso.sealed}
                  </span>
                ) : (
                  <CasoValor nome={nome} value={valueIn(shown, nome)} />
                )}
                {now !== null && isChanged(nome, caso, now) && (
                  <span class="tag amber">{t.caso.changedSince}</span>
                )}
              </dd>
            </div>
          ))}
          {identified !== null && name === 'paciente' && (
            <div class="print-only">
              <dt>{texts().campos.paciente_nome}</dt>
              <dd>{textOf('paciente_nome', valueIn(caso, 'paciente_nome'), t)}</dd>
            </div>
          )}
        </dl>
      )}
      {unknown.length > 0 && (
        <details>
          <summary>{t.caso.unknownFields(unknown.length)}</summary>
          <p class="note">{unknown.map(labelOf).join(', ')}</p>
        </details>
      )}
    </section>
  )
}

const isChanged = (nome: FieldName, caso: Detalhe, now: Detalhe) =>
  JSON.stringify(valueIn(caso, nome)) !== JSON.stringify(valueIn(now, nome))

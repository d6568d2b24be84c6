import { useState } from 'preact/hooks'
import { PATHS, pathTo } from '../../paths.ts'
import { BLOCK_FIELDS, isHidden } from '../../state/caso-campos.ts'
import { holds } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { CasoValor } from '../../ui/caso-valor.tsx'
import { Check } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Caso, type Linha, linhaOf, type ParAberto } from './par.ts'

interface CompareProps {
  casos: ParAberto['casos']
  isIdentified: boolean
  /** Of a case that cannot be opened: why. */
  tags?: readonly (string | null)[]
}

/** Both cases field by field, those that differ marked. */
export function Compare({ casos, isIdentified, tags = [] }: CompareProps) {
  const t = texts()
  const own = duplicidadesTexts()
  const [isOnly, setOnly] = useState(false)
  const blocks = BLOCK_FIELDS.map(([name, fields]) => ({
    name,
    linhas: fields
      .map((nome) => linhaOf(nome, casos, isIdentified))
      .filter((linha): linha is Linha => linha !== null),
  }))
  const differences = blocks.flatMap(({ linhas }) => linhas).filter(({ differs }) => differs).length
  const shown = blocks
    .map(({ name, linhas }) => ({ name, linhas: isOnly ? linhas.filter(({ differs }) => differs) : linhas }))
    .filter(({ linhas }) => linhas.length > 0)
  return (
    <section class="card compare" aria-labelledby="lado-a-lado">
      <h2 id="lado-a-lado">{own.sideBySide}</h2>
      <div class="compare-tools">
        <p class="note" role="status">
          {own.differences(differences)}
        </p>
        <Check label={own.onlyDifferences} checked={isOnly} onChange={setOnly} />
      </div>
      <table class="sides-table">
        <caption class="unseen">{own.sideBySide}</caption>
        <thead>
          <tr>
            <th scope="col">{own.field}</th>
            {casos.map((caso, at) => (
              <th scope="col" key={caso.id}>
                <Heading caso={caso} tag={tags[at] ?? null} />
              </th>
            ))}
          </tr>
        </thead>
        {shown.map(({ name, linhas }) => (
          <tbody key={name}>
            <tr class="block-name">
              <th scope="rowgroup" colSpan={3}>
                {t.caso.blocks[name]}
              </th>
            </tr>
            {linhas.map((linha) => (
              <Row key={linha.nome} linha={linha} isIdentified={isIdentified} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Heading({ caso: { id, numero_notificacao }, tag }: { caso: Caso; tag: string | null }) {
  const t = duplicidadesTexts()
  if (tag !== null)
    return (
      <>
        {t.caseOf(numero_notificacao)} <span class="tag plain">{tag}</span>
      </>
    )
  if (!holds(['agravos.listar'])) return <>{t.caseOf(numero_notificacao)}</>
  return (
    <a href={pathTo(PATHS.caso, { id })} target="_blank" rel="noopener" title={t.openCase}>
      {t.caseOf(numero_notificacao)}
    </a>
  )
}

function Row({ linha, isIdentified }: { linha: Linha; isIdentified: boolean }) {
  const t = texts()
  const own = duplicidadesTexts()
  const { nome, values, isSealed, differs } = linha
  const isSecret = isIdentified && (isHidden(nome) || nome === 'paciente_nome')
  return (
    <tr class={[differs && 'differs', isSecret && 'secret'].filter(Boolean).join(' ')}>
      <th scope="row">
        {texts().campos[nome]}
        {differs && <span class="tag amber">{own.differs}</span>}
      </th>
      {values.map((value, at) => (
        <td key={at}>
          {isSealed ? (
            <span class="sealed">
              <Icon name="lock" />
              {t.caso.sealed}
            </span>
          ) : value === null ? (
            <span class="unknown">{own.unknown}</span>
          ) : (
            <CasoValor nome={nome} value={value} />
          )}
        </td>
      ))}
    </tr>
  )
}

import { useEffect, useRef } from 'preact/hooks'
import { codigoDaSemana } from '../../../../src/brasil/epi-week.ts'
import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import { texts } from '../../state/texts.ts'
import type { Section } from './ficha.ts'
import { CaseField, focusField } from './field.tsx'
import type { CaseForm, Trouble } from './form-state.ts'
import type { SectionId } from './sections.ts'
import { troubleText } from './words.ts'

const titleOf = ({ id, title }: Section) => title ?? texts().formulario.sections[id as SectionId]

export const sectionId = ({ id }: Section) => `secao-${id}`

function goTo(section: Section): void {
  const heading = document.getElementById(sectionId(section))
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

/** Index at the side: the sections by number, with the problems of each. */
export function SectionIndex({ form }: { form: CaseForm }) {
  const t = texts().formulario
  return (
    <nav class="ficha-index" aria-label={t.index}>
      <ol>
        {form.ficha.sections.map((section, at) => (
          <li key={section.id}>
            <a
              href={`#${sectionId(section)}`}
              onClick={(event) => {
                event.preventDefault()
                goTo(section)
              }}
            >
              <span class="number">{at + 1}</span>
              <span class="name">{titleOf(section)}</span>
              <ProblemCount form={form} section={section} />
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function ProblemCount({ form, section }: { form: CaseForm; section: Section }) {
  const count = form.problemsIn[section.id]?.value ?? 0
  if (count === 0) return null
  return (
    <span class="count">
      <span aria-hidden="true">{count}</span>
      <span class="unseen">{texts().formulario.problems(count)}</span>
    </span>
  )
}

export function SectionCard({ form, section, place, iniciais }: SectionCardProps) {
  return (
    <section class="card ficha-section" aria-labelledby={sectionId(section)}>
      <h2 id={sectionId(section)} tabIndex={-1}>
        <span class="number" aria-hidden="true">
          {place}
        </span>
        {titleOf(section)}
      </h2>
      {section.groups.map(({ id, fields }) => (
        <GroupOfFields key={id ?? fields[0]} form={form} id={id} fields={fields} iniciais={iniciais} />
      ))}
    </section>
  )
}

interface SectionCardProps {
  form: CaseForm
  section: Section
  place: number
  iniciais: string | null
}

interface GroupProps {
  form: CaseForm
  id: Section['groups'][number]['id'] | undefined
  fields: FieldName[]
  iniciais: string | null
}

/** Without its heading where no field of it applies. */
function GroupOfFields({ form, id, fields, iniciais }: GroupProps) {
  const isAny = fields.some((nome) => form.isShown[nome].value)
  if (!isAny) return null
  return (
    <>
      {id !== undefined && <h3>{texts().formulario.groups[id]}</h3>}
      <div class="ficha-fields">
        {fields.map((nome) => (
          <CaseField key={nome} form={form} nome={nome} iniciais={iniciais} />
        ))}
      </div>
    </>
  )
}

/** Values that the rules derive from the fields, shown as one types. */
export function Follows({ form }: { form: CaseForm }) {
  const t = texts().formulario.follows
  const { paciente_idade, data_notificacao, data_inicio_sintomas, status, estado_residencia } =
    form.result.value
  const se = (date: string | null | undefined) => (date == null ? t.unknown : t.se(codigoDaSemana(date)))
  const facts: [string, string][] = [
    [t.idade, paciente_idade === null ? t.unknown : t.years(paciente_idade)],
    [t.week, se(data_notificacao)],
    [t.onsetWeek, se(data_inicio_sintomas)],
    [t.estado, estado_residencia ?? t.unknown],
    [t.status, form.ficha.wordOf('status', status, texts())],
  ]
  return (
    <section class="card follows" aria-labelledby="decorre">
      <h2 id="decorre">{t.title}</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Every problem on top, focused, each a way to its field. `round`: counts the attempts, each focuses again. */
export function ProblemSummary({ form, round }: { form: CaseForm; round: number }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [round])
  const t = texts().formulario
  const found = form.problems.value
  if (found.size === 0) return null
  const inOrder = form.ficha.fields.filter((nome) => found.has(nome))
  return (
    <div ref={element} class="problem-summary" role="alert" tabIndex={-1}>
      <h2>{t.summary(inOrder.length)}</h2>
      <ul>
        {inOrder.map((nome) => (
          <li key={nome}>
            <a
              href={`#${nome}`}
              onClick={(event) => {
                event.preventDefault()
                focusField(nome)
              }}
            >
              {form.ficha.labelOf(nome, texts())}
            </a>
            {': '}
            {troubleText(found.get(nome) as Trouble, form.ficha)}
          </li>
        ))}
      </ul>
    </div>
  )
}

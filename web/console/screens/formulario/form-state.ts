import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { ufOfMunicipio } from '../../../../src/brasil/uf.ts'
import type { Campos, CampoValue, FieldName } from '../../../../src/domain/casos/campos.ts'
import { applyRules } from '../../../../src/domain/casos/regras.ts'
import { type Problem, problem } from '../../../../src/errors/catalogue.ts'
import { type Ficha, fieldsOf, type Values } from './ficha.ts'
import { emptyOf, isEmpty, readField, sameValue, type Typed, tidied, writeField } from './reading.ts'
import { STATE_OF } from './sections.ts'

/** Fields as they are typed, by name; those that are empty are left out. */
export type TypedFields = Partial<Record<FieldName, Typed>>

/** A problem under a field: found here by its code, or told by the service in its own words. */
export type Trouble = Problem | { message: string }

const MUNICIPIOS = {
  byCodigo(codigo: number) {
    const uf = ufOfMunicipio(codigo)
    return uf === null ? null : { uf }
  },
}

type PerField<T> = Record<FieldName, T>

export type CaseForm = ReturnType<typeof createForm>

/**
 * State of one form: a signal for each field, so that a key redraws its own field only; everything else follows from them.
 * `stored`: the case that is changed, null for a new one. `toErase`: secret fields of it that are to be emptied.
 */
export function createForm(
  ficha: Ficha,
  stored: Campos | null,
  given: TypedFields = {},
  now = () => new Date(),
  toErase: readonly FieldName[] = [],
) {
  const { fields } = ficha
  const perField = <T>(make: (nome: FieldName) => T) =>
    Object.fromEntries(fields.map((nome) => [nome, make(nome)])) as PerField<T>
  /** Typed in the form of another disease: kept for the way back. */
  const elsewhere = Object.entries(given).filter(([nome]) => !fields.includes(nome as FieldName))
  const today = () => dateInBrazil(now())
  const base = signal(stored)
  const typed: PerField<Signal<Typed>> = perField((nome) =>
    signal(given[nome] ?? writeField(ficha, nome, stored?.[nome])),
  )
  const left = perField(() => signal(false))
  const erased = signal<ReadonlySet<FieldName>>(new Set(toErase))
  const told = signal<ReadonlyMap<FieldName, string>>(new Map())

  const read = computed(() => {
    const values: Record<string, CampoValue> = {}
    const unread = new Map<FieldName, Problem>()
    for (const nome of fields) {
      const one = readField(ficha, nome, typed[nome].value, today())
      if ('value' in one) values[nome] = one.value
      else {
        values[nome] = null
        unread.set(nome, one.problem)
      }
    }
    return { values: values as Values, unread }
  })
  /** Known where it does not apply, before anything was typed: shown all the same, never emptied unseen. */
  const outOfPlace = computed(() => {
    const { value } = base
    if (value === null) return new Set<FieldName>()
    return new Set(
      fields.filter((nome) => value[nome] != null && !ficha.isOwn(nome) && !ficha.applies(nome, value)),
    )
  })
  const isShown: PerField<ReadonlySignal<boolean>> = perField((nome) =>
    computed(() => outOfPlace.value.has(nome) || ficha.applies(nome, read.value.values)),
  )
  /** Stored values of own fields stay where a condition hides them. */
  const hiddenValue = (nome: FieldName) => (ficha.isOwn(nome) ? (base.value?.[nome] ?? null) : null)
  /** Values of the fields that are seen. */
  const values = computed(() => {
    const seen: Record<string, CampoValue> = {}
    for (const nome of fields)
      seen[nome] = isShown[nome].value ? (read.value.values[nome] ?? null) : hiddenValue(nome)
    return seen as Values
  })
  const changes = computed(() => changesOf(ficha, base.value, values.value, erased.value))
  const settled = computed(() =>
    applyRules(base.value, changes.value, {
      today: today(),
      municipios: MUNICIPIOS,
      agravos: ficha.regras,
    }),
  )
  const isRequired = (nome: FieldName) =>
    ficha.isRequired(nome, values.value) && (base.value === null || isAskedAgain(nome, base.value))
  /** Of a stored case: not what is sealed, nor an own field that it never had. */
  const isAskedAgain = (nome: FieldName, { [nome]: before }: Campos) =>
    !ficha.isSecret(nome) && (!ficha.isOwn(nome) || before != null)
  const isMissing = (nome: FieldName) => isRequired(nome) && values.value[nome] == null
  const isRequiredOf = perField((nome) => computed(() => isRequired(nome)))
  const problems = computed(() => {
    const found = new Map<FieldName, Trouble>()
    const add = (nome: FieldName, one: Trouble) =>
      isShown[nome]?.value && !found.has(nome) && found.set(nome, one)
    for (const [nome, one] of read.value.unread) add(nome, one)
    for (const nome of fields.filter(isMissing)) add(nome, problem('body', nome.split('.'), 'REQUIRED', {}))
    for (const one of [...settled.value.problems, ...ficha.check(values.value, today())])
      add(one.path.join('.') as FieldName, one)
    for (const [nome, message] of told.value) add(nome, { message })
    return found
  })
  const problemOf = perField((nome) =>
    computed(() => (left[nome].value ? problems.value.get(nome) : undefined)),
  )
  const problemsIn = Object.fromEntries(
    ficha.sections.map((section) => [
      section.id,
      computed(() => fieldsOf(section).filter((nome) => problemOf[nome].value !== undefined).length),
    ]),
  ) as Record<string, ReadonlySignal<number>>
  const isChanged = computed(
    () =>
      erased.value.size > 0 ||
      fields.some((nome) => !sameValue(typed[nome].value, writeField(ficha, nome, base.value?.[nome]))),
  )

  /** Marks a stored secret to be emptied, or not; nobody sees it here, so an empty field alone says nothing. */
  const erase = (nome: FieldName, isErased: boolean) =>
    batch(() => {
      const next = new Set(erased.peek())
      for (const one of [nome, ...(TOGETHER[nome] ?? [])]) {
        if (isErased) next.add(one)
        else next.delete(one)
        if (isErased) typed[one].value = emptyOf(ficha, one)
      }
      erased.value = next
    })
  const type = (nome: FieldName, value: Typed) =>
    batch(() => {
      typed[nome].value = value
      if (erased.peek().has(nome)) erase(nome, false)
      // The service knows rules of a definition that are not known here: another value may end any of its problems.
      if (ficha.codigo !== null || told.peek().has(nome))
        told.value = new Map([...told.peek()].filter(([other]) => ficha.codigo === null && other !== nome))
      const estado = STATE_OF[nome]
      const uf = typeof value === 'string' && value !== '' ? ufOfMunicipio(Number(value)) : null
      if (estado !== undefined && uf !== null) typed[estado].value = uf
    })

  return {
    ficha,
    isRequiredOf,
    base,
    typed,
    values,
    changes,
    /** The case as it would be: with what follows from its fields. */
    result: computed(() => settled.value.campos),
    problems,
    problemOf,
    problemsIn,
    isShown,
    isChanged,
    today,
    type,
    erased,
    erase,
    /** Rules speak once a field was left, and at every key from then on. */
    leave(nome: FieldName) {
      batch(() => {
        typed[nome].value = tidied(ficha, nome, typed[nome].peek(), today())
        if (!isEmpty(typed[nome].peek()) || read.peek().unread.has(nome) || isRequiredOf[nome].peek())
          left[nome].value = true
      })
    },
    leaveAll() {
      batch(() => {
        for (const nome of fields) left[nome].value = true
      })
    },
    /** Problems that only the service finds. */
    tell(problems: ReadonlyMap<FieldName, string>) {
      told.value = problems
    },
    fill(fields: TypedFields) {
      batch(() => {
        for (const [nome, value] of Object.entries(fields) as [FieldName, Typed][])
          if (typed[nome] !== undefined) typed[nome].value = value
      })
    },
    /** Another version of the case beneath what was typed; fields that nobody typed in follow it. */
    rebase(stored: Campos, keep: ReadonlySet<FieldName>) {
      batch(() => {
        for (const nome of fields)
          if (!keep.has(nome) && !ficha.isSecret(nome))
            typed[nome].value = writeField(ficha, nome, stored[nome])
        base.value = stored
      })
    },
    snapshot(): TypedFields {
      return Object.fromEntries([
        ...elsewhere,
        ...fields.flatMap((nome) => {
          const value = typed[nome].value
          return sameValue(value, writeField(ficha, nome, base.value?.[nome])) ? [] : [[nome, value]]
        }),
      ])
    },
  }
}

/** Half a point is refused: both go. */
const TOGETHER: Partial<Record<FieldName, FieldName[]>> = { latitude: ['longitude'], longitude: ['latitude'] }

/**
 * Fields to send: of a new case those that are known, of a stored one those that changed. A secret is sent where it is typed, or
 * marked to be emptied.
 */
function changesOf(
  ficha: Ficha,
  base: Campos | null,
  values: Values,
  erased: ReadonlySet<FieldName>,
): Values {
  const entries = Object.entries(values) as [FieldName, CampoValue][]
  const sent = entries.filter(([nome, value]) => {
    if (nome === 'paciente_idade' && values.paciente_data_nascimento != null) return false
    if (base === null || ficha.isSecret(nome)) return value !== null || erased.has(nome)
    return !sameValue(value, base[nome])
  })
  return Object.fromEntries(sent) as Values
}
